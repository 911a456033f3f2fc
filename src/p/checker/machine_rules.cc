#include "p/checker/machine_rules.h"

#include <algorithm>

namespace ravel::p {
namespace {

class MachineRules {
 public:
  explicit MachineRules(Context& context) : context_(context), program_(context.program) {}

  void check(const Machine& machine) {
    for (const StateId id : machine.states) {
      State& state = program_.state(id);
      if (state.entry) check_parameters(*state.entry, 1, state.place, "what `entry` does");
      if (state.exit) check_parameters(*state.exit, 0, state.place, "what `exit` does");
      for (Action& action : state.actions) check(machine, action);
    }
    if (machine.kind == MachineKind::kScenario) check_scenario(machine);
  }

 private:
  void check(const Machine& machine, Action& action) {
    if (action.kind != ActionKind::kDo && action.kind != ActionKind::kGoto) return;
    if (machine.is_monitor() && !machine.observes.contains(action.event))
      context_.diagnostics.warning(action.place, quoted(machine.name) + " does not observe " +
                                                     quoted(program_.event(action.event).name) +
                                                     ", so that this never happens");
    if (action.function && check_parameters(*action.function, 1, action.place, "what handles an event"))
      action.unwraps_payload = check_payload(*action.function, action);
    if (action.kind != ActionKind::kGoto) return;
    const auto entry = program_.state(action.target).entry;
    if (entry && program_.function(*entry).parameters == 1)
      action.target_unwraps_payload = check_payload(*entry, action);
  }

  bool check_parameters(FunctionId id, std::uint32_t count_max, Place place, std::string_view what) {
    const Function& function = program_.function(id);
    if (function.parameters <= count_max) return true;
    context_.error(place, std::string(what) + " takes " +
                              (count_max == 0 ? "no parameter" : "at most one parameter") +
                              "; this function has " + std::to_string(function.parameters));
    return false;
  }

  // Whether the payload is a tuple of one part, and the function takes the part.
  bool check_payload(FunctionId id, const Action& action) {
    const Function& function = program_.function(id);
    if (function.parameters == 0) return false;
    const Type* payload = program_.event(action.event).payload;
    const Type* parameter = function.slots[0].type;
    if (program_.types.is_assignable(parameter, payload)) return false;
    if (payload->is(TypeKind::kTuple) && payload->parts.size() == 1 &&
        program_.types.is_assignable(parameter, payload->parts[0]))
      return true;
    context_.error(action.place, "the event " + quoted(program_.event(action.event).name) + " carries " +
                                     mismatch(payload, parameter));
    return false;
  }

  void check_scenario(const Machine& machine) {
    const auto is_cold = [this](StateId id) { return program_.state(id).temperature == Temperature::kCold; };
    if (std::ranges::none_of(machine.states, is_cold))
      context_.diagnostics.warning(machine.place, "the scenario " + quoted(machine.name) +
                                                      " has no cold state, so that it is never covered");
    else if (is_cold(machine.start))
      context_.diagnostics.warning(machine.place, "the scenario " + quoted(machine.name) +
                                                      " starts in a cold state, which covers nothing yet");
  }

  Context& context_;
  Program& program_;
};

}  // namespace

void check_machines(Context& context) {
  MachineRules rules(context);
  for (const Machine& machine : context.program.machines) rules.check(machine);
}

}  // namespace ravel::p
