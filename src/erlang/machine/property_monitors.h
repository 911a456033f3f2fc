// Properties that are looked after while a program runs: their monitors, functions of Erlang
// (lib/ravel_monitor.erl) that are called after each step that concerns them.
//
// What a monitor remembers is a term of the state (SharedTerms::property_states), so it is saved and restored
// with it, and two states that differ in it are two. A property that is violated is not looked at any more in
// that execution.
//
// Executions are compared by what they touch. A monitor tells executions apart that nobody else does, so each
// step that concerns one touches one object (ObjectClass::kProbe), by which these steps are ordered. Which
// steps these are follows from what the monitor says that it observes; it gets nothing else to see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "erlang/machine/code.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/pure_calls.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Which steps concern a monitor: each kind includes those before it.
enum class Observed : std::uint8_t {
  kShown,  // that change a probe, or pass a label
  kNames,  // that change which names are registered
  kSteps,  // all
};

Observed observed_named(std::string_view text);  // "shown", "names" or "steps"

// What a function of ravel_property, or of another module of ours, says of a text that a user has written:
// {ok, ...}, young as long as nothing runs. The error says what is wrong with the text.
Result<Term> property_text_call(Machine& machine, const char* function, const std::string& text,
                                const char* runner = "ravel_property", const char* what = "the monitor");

class PropertyMonitors final : public MachinePart {
 public:
  explicit PropertyMonitors(Machine& its_machine) : MachinePart(its_machine) {}

  // Begins to look after properties, as the user has named them: ravel_property.erl says how. REQUIRES:
  // MachineOptions::observes, and that the test has not begun.
  Status open(std::span<const std::string> texts);
  void close();
  // From now on, what is named is the program's.
  void note_beginning() { names_before_ = names.pid_count(); }

  std::size_t size() const { return monitors_.size(); }
  const std::string& name(std::size_t monitor) const { return monitors_[monitor].name; }
  // By any of them.
  Observed observed() const { return observed_; }

  struct Verdict {
    enum class Kind : std::uint8_t { kHolds, kViolated, kFailed } kind = Kind::kHolds;
    // kViolated. Young, as long as nothing runs: what the monitor has said, or none, and a list of more
    Term reason = Term::none(), details = Term::nil();
    std::string problem = {};                  // kFailed: what the monitor does
    Term trace = Term::nil();                  // kFailed by an exception: where, likewise young
    std::vector<const CodeWord*> places = {};  // kFailed otherwise: the innermost first
  };
  // After a step: what the monitor says. REQUIRES: no fault.
  Verdict look(std::size_t monitor);
  // What {function, Module, Function} says of the present state. REQUIRES: no fault.
  Verdict ask(Term function, Observed observed);
  void finish_looking() { event_ = Term::none(); }

  // For what a monitor asks (bif/monitor_views.cc).
  // Of the monitor that is running.
  Observed observed_by_running() const { return observed_by_running_; }
  bool is_running() const { return is_running_; }
  // Whether a process is the program's, not one that was there before.
  bool is_of_program(Term pid) const {
    return !names.is_below_system(pid) || pid.pid_name() >= names_before_;
  }

  void for_each_term(Roots::Visit visit, void* collector) {
    if (!event_.is_none()) visit(collector, &event_, 1);
  }

 private:
  struct PropertyMonitor {
    std::string name;
    Term specification;  // stored; a root as a literal
    Observed observed = Observed::kShown;
    bool takes_events = false;
  };
  bool concerns(const PropertyMonitor& monitor) const;
  Status add(const std::string& text, std::vector<Term>& states);
  PureCalls::Answer run(Term specification, Term event, Term state, Observed observed);
  void set_state(std::size_t monitor, Term slot);
  Verdict verdict_of(Term answer) const;

  std::vector<PropertyMonitor> monitors_;
  Observed observed_ = Observed::kShown;
  std::uint64_t names_before_ = 0;  // pids that were named before the test began
  Observed observed_by_running_ = Observed::kShown;
  bool is_running_ = false;
  Term event_ = Term::none();  // of this step, once it is made
};

}  // namespace ravel::erlang
