// What formulas of temporal logic ask of a state or a step: whether a process shows something, a label was
// passed, a name is registered, the process of that name can go on, or a function of Erlang says so.
//
// A proposition is kept as ravel_property:proposition/1 (lib/ravel_property.erl) gives it:
//   {shown, Probe, any | {value, Value}, Label}   a process shows the probe, with a value other than false or
//                                                 with this one; or the step passed the label
//   {registered, Name}   {enabled, Name}
//   {predicate, {function, Module, Function}, Observed}
//
// Cost: all of them are looked at after each step; a predicate is a call (pure_calls.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "erlang/machine/code.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/property_monitors.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class Propositions final : public MachinePart {
 public:
  explicit Propositions(Machine& its_machine) : MachinePart(its_machine) {}

  // Begins to look at these, as formulas write them. REQUIRES: MachineOptions::observes, and that the test
  // has not begun.
  Status open(std::span<const std::string> texts);
  void close() { propositions_.clear(); }
  std::size_t size() const { return propositions_.size(); }
  // Whether look() has to know who can go on.
  bool asks_who_can_go_on() const { return asks_who_can_go_on_; }

  // Bit i is of proposition i.
  struct Seen {
    std::uint64_t state = 0, step = 0;
    std::size_t failed = 0;                  // if there is a problem: which one
    PropertyMonitors::Verdict verdict = {};  // kFailed, then
  };
  // After a step. `who_can_go_on`: pids. REQUIRES: no fault.
  Seen look(std::span<const Term> who_can_go_on);

 private:
  struct Proposition {
    std::string text;
    Term meaning;  // stored; a root as a literal
    enum class Kind : std::uint8_t { kShown, kRegistered, kEnabled, kPredicate } kind = Kind::kShown;
    Observed observed = Observed::kShown;  // by a predicate
  };
  Status add(const std::string& text);
  bool is_shown(Term meaning) const;

  std::vector<Proposition> propositions_;
  bool asks_who_can_go_on_ = false;
};

}  // namespace ravel::erlang
