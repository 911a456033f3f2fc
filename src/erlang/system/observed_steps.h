// What looks at the state after each step: the propositions of formulas, an abstraction of states, and the
// monitors of properties.
//
// Cost: nothing where there are none; else calls of functions that only compute (machine/pure_calls.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/system.h"
#include "engine/transition.h"
#include "erlang/machine/machine.h"
#include "erlang/system/actor_table.h"
#include "erlang/system/properties.h"
#include "erlang/system/property_verdicts.h"

namespace ravel::erlang {

class ObservedSteps {
 public:
  // `abstraction`: as ErlangOptions has it. All must outlive this object.
  ObservedSteps(Machine& machine, const ActorTable& actors, PropertyVerdicts& verdicts,
                const std::string& abstraction)
      : machine_(machine), actors_(actors), verdicts_(verdicts), abstraction_(abstraction) {}

  // The monitors, and the propositions of formulas. An error: one of them does not exist, or cannot be read.
  Status open(const Properties& properties);
  const std::vector<std::string>& propositions() const { return propositions_; }

  // Looks at propositions and the abstraction: nothing, unless one of them fails. After a step that has ended
  // in a fault or with a refusal they are not asked.
  std::optional<Refusal> look(std::span<const Transition> enabled, Outcome outcome) {
    letter_ = {};
    if (propositions_.empty() && !machine_.abstraction.is_open()) return std::nullopt;
    return ask(enabled, outcome);
  }
  // What propositions have said of the present state and the last step.
  Letter letter() const { return letter_; }
  // The last step has changed nothing that others could see (polling_loops.h).
  void note_only_looked(std::uint64_t bit) { letter_.step |= bit; }
  // What the abstraction has made of the present state; none: there is no abstraction.
  Term abstract() const { return abstract_; }

  // Whether a step of `who` changed nothing that others could notice. That it ran is noticed by those only
  // who ask where it is.
  bool has_only_looked(Term who) const;

  // `places`: where the process of the step was before it.
  enum class AfterViolation : std::uint8_t { kStop, kGoOn };
  struct MonitorsSay {
    std::vector<Bug> violations;  // one at most with kStop
    std::optional<Refusal> failure;
  };
  MonitorsSay ask_monitors(std::span<const CodeWord* const> places, AfterViolation after);

 private:
  std::optional<Refusal> ask(std::span<const Transition> enabled, Outcome outcome);
  std::optional<Refusal> look_at_propositions(std::span<const Transition> enabled);
  std::optional<Refusal> look_by_abstraction();

  Machine& machine_;
  const ActorTable& actors_;
  PropertyVerdicts& verdicts_;
  const std::string& abstraction_;
  std::vector<std::string> propositions_;  // of the formulas
  Letter letter_;
  Term abstract_ = Term::none();
};

}  // namespace ravel::erlang
