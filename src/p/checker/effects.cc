#include "p/checker/effects.h"

namespace ravel::p {
namespace {

// Whether it grew.
bool add(Effects& to, const Effects& from) {
  bool grew = false;
  const auto one = [&grew](bool& mine, bool other) {
    grew |= other && !mine;
    mine |= other;
  };
  one(to.raises, from.raises);
  one(to.receives, from.receives);
  one(to.changes_state, from.changes_state);
  one(to.creates, from.creates);
  one(to.sends, from.sends);
  one(to.chooses, from.chooses);
  return grew;
}

void propagate(Program& program) {
  std::vector<std::vector<FunctionId>> callers(program.functions.size());
  std::vector<FunctionId> changed;
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    for (const FunctionId callee : program.functions[i].callees)
      callers[index(callee)].push_back(FunctionId(i));
    changed.push_back(FunctionId(i));
  }
  while (!changed.empty()) {
    const FunctionId callee = changed.back();
    changed.pop_back();
    for (const FunctionId id : callers[index(callee)]) {
      Function& caller = program.function(id);
      const InterfaceSet before = caller.creates;
      caller.creates.add(program.function(callee).creates);
      const bool creates_more = caller.creates != before;
      if (add(caller.effects, program.function(callee).effects) || creates_more) changed.push_back(id);
    }
  }
}

// What a spec may not do; empty if it does nothing of that.
std::string_view forbidden_in_spec(const Effects& effects) {
  if (effects.sends) return "sends or announces";
  if (effects.creates) return "creates a machine";
  if (effects.receives) return "waits in `receive`";
  if (effects.chooses) return "makes a choice";
  return {};
}

std::string named(const Function& function) {
  return function.name.empty() ? "this handler" : "the function " + quoted(function.name);
}

}  // namespace

void check_effects(Context& context) {
  Program& program = context.program;
  propagate(program);
  for (const Function& function : program.functions) {
    if (!function.owner) continue;
    Machine& machine = program.machine(*function.owner);
    machine.creates.add(function.creates);
    const std::string_view forbidden = forbidden_in_spec(function.effects);
    if (machine.is_monitor() && !forbidden.empty())
      context.error(function.place, named(function) + " of the spec " + quoted(machine.name) + " " +
                                        std::string(forbidden) +
                                        ", itself or through what it calls; a spec only watches");
  }
  for (const TransitionUse& use : context.transition_uses) {
    const Function& function = program.function(use.function);
    if (function.effects.raises || function.effects.changes_state)
      context.error(use.place, named(function) + " is what happens " +
                                   (use.is_exit ? "on exit" : "between two states") +
                                   ", and may not use `raise` or `goto`, itself or through what it calls");
  }
}

}  // namespace ravel::p
