#include "front_ends/p/coverage.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ravel::p {

namespace {

class Lister {
 public:
  Lister(const Program& program, const UseOfProgram& use, const Timers& timers)
      : program_(program), use_(use), timers_(timers) {}

  void add_machine(MachineId id) {
    const Machine& machine = program_.machine(id);
    if (machine.kind == MachineKind::kScenario) add_scenario(machine);
    for (const StateId state : machine.states) add_state(machine, state);
  }
  void add_events() {
    for (const EventId event : events_.ids())
      if (event != kNullEvent && event != kHaltEvent)
        add({.kind = ProgramPart::Kind::kEvent, .event = name(event), .is_covered = use_.was_told(event)},
            program_.event(event).place);
  }
  ProgramCoverage take() { return std::move(parts_); }

 private:
  std::string name(EventId event) const {
    return event == kNullEvent ? "null" : std::string(program_.event(event).name);
  }

  void add(ProgramPart part, Place place) {
    part.file = program_.sources.name(place.file);
    part.line = program_.sources.line_column(place).line;
    parts_.push_back(std::move(part));
  }

  void add_state(const Machine& machine, StateId id) {
    const State& state = program_.state(id);
    add({.kind = ProgramPart::Kind::kState,
         .machine = std::string(machine.name),
         .state = std::string(state.name),
         .is_covered = use_.was_entered(id)},
        state.place);
    for (const Action& action : state.actions) {
      if (is_of_timers(action.event)) continue;
      events_.add(action.event);
      if (action.kind != ActionKind::kDo && action.kind != ActionKind::kGoto) continue;
      add({.kind = ProgramPart::Kind::kReaction,
           .machine = std::string(machine.name),
           .state = std::string(state.name),
           .event = name(action.event),
           .is_covered = use_.was_handled(id, action.event)},
          action.place);
    }
  }

  bool is_of_timers(EventId event) const {
    return std::ranges::find(timers_.known, event, &Timer::again) != timers_.known.end();
  }

  // It is covered when it was in a cold state, its accepting one.
  void add_scenario(const Machine& scenario) {
    const bool is_covered = std::ranges::any_of(scenario.states, [&](StateId state) {
      return program_.state(state).temperature == Temperature::kCold && use_.was_entered(state);
    });
    add({.kind = ProgramPart::Kind::kScenario,
         .machine = std::string(scenario.name),
         .is_covered = is_covered},
        scenario.place);
  }

  const Program& program_;
  const UseOfProgram& use_;
  const Timers& timers_;
  EventSet events_;
  ProgramCoverage parts_;
};

}  // namespace

ProgramCoverage coverage_of(const Program& program, const TestCase& test, const UseOfProgram& use,
                            const Timers& timers) {
  Lister lister(program, use, timers);
  std::vector<MachineId> machines;
  for (const Binding& binding : test.bindings) machines.push_back(binding.machine);
  for (const Monitor& monitor : test.monitors) machines.push_back(monitor.machine);
  std::ranges::sort(machines);
  machines.erase(std::ranges::unique(machines).begin(), machines.end());
  for (const MachineId machine : machines) lister.add_machine(machine);
  lister.add_events();
  return lister.take();
}

}  // namespace ravel::p
