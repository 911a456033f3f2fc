// What happens around functions: events find their handlers, states are left and entered.

#include "base/check.h"
#include "p/machine/world.h"
#include "p/value/object.h"

namespace ravel::p {

// Runs until the next operation, the end of the handler, or a bug.
void World::go_on(Context& context) {
  while (true) {
    switch (execute(context)) {
      case Pause::kOperation: context.phase = Phase::kAtOperation; return;
      case Pause::kFailed: return;
      case Pause::kReturned:
        if (!after_function(context)) return;
        break;
      case Pause::kLeft:
        if (!leave(context)) return;
        break;
    }
  }
}

bool World::after_function(Context& context) {
  context.stack.clear();
  context.base = 0;
  switch (context.stage) {
    case Stage::kHandler: context.rest(Phase::kIdle); return false;
    case Stage::kExit: return after_exit(context);
    case Stage::kTransition: return enter(context);
    case Stage::kExitToHalt: halt(context); return false;
  }
  CHECK(false);
}

void World::halt(Context& context) {
  context.rest(Phase::kHalted);
  context.fields.clear();
  context.queue.clear();
}

bool World::leave(Context& context) {
  const Leaving how = leaving_;
  leaving_ = {};
  context.rest(Phase::kIdle);
  if (how.is_goto) return begin_transition(context, how.target, how.payload);
  return handle(context, EventId{how.event.event_number()}, how.payload);
}

// What is raised is never deferred: it is dropped, like what is ignored.
bool World::handle(Context& context, EventId event, Value payload) {
  context.rest(Phase::kIdle);
  const Action* const action = code_.reaction(context.state, event);
  if (action == nullptr && event == kHaltEvent) {
    context.stage = Stage::kExitToHalt;
    if (const std::optional<FunctionId> exit = program_.state(context.state).exit)
      return begin(context, *exit, Value::null(), false);
    halt(context);
    return false;
  }
  if (action == nullptr) {
    fail(context, "unhandled_event",
         "event `" + this->event(index(event)) + "` is not handled in state `" +
             std::string(state_of(context)) + "`");
    return false;
  }
  switch (action->kind) {
    case ActionKind::kDefer:
    case ActionKind::kIgnore: return false;
    case ActionKind::kDo: return begin(context, *action->function, payload, action->unwraps_payload);
    case ActionKind::kGoto:
      context.unwraps_payload = action->unwraps_payload;
      context.target_unwraps_payload = action->target_unwraps_payload;
      if (action->function) context.between = index(*action->function);
      return begin_transition(context, action->target, payload);
  }
  CHECK(false);
}

bool World::begin_transition(Context& context, StateId target, Value payload) {
  context.target = target;
  context.carried = payload;
  context.stage = Stage::kExit;
  if (const std::optional<FunctionId> exit = program_.state(context.state).exit)
    return begin(context, *exit, Value::null(), false);
  return after_exit(context);
}

bool World::after_exit(Context& context) {
  context.stage = Stage::kTransition;
  if (context.between == kNowhere) return after_function(context);
  return begin(context, FunctionId{context.between}, context.carried, context.unwraps_payload);
}

// The state that it is to be in: at first its own, then `target`.
bool World::enter(Context& context) {
  const bool is_first = context.stage == Stage::kHandler;
  const StateId state = is_first ? context.state : context.target;
  const Value payload = context.carried;
  const bool unwraps = context.target_unwraps_payload;
  context.rest(Phase::kIdle);
  context.state = state;
  if (const std::optional<FunctionId> entry = program_.state(state).entry)
    return begin(context, *entry, payload, unwraps);
  return false;
}

bool World::begin(Context& context, FunctionId function, Value payload, bool unwraps) {
  const FunctionCode& code = code_.functions[index(function)];
  context.stack.clear();
  context.frames.clear();
  context.base = 0;
  context.pc = code.code;
  if (code.parameters > 0) {
    if (unwraps && is_tuple(payload)) payload = tuple_part(payload, 0);
    if (!check_payload(context, code.parameter, payload)) return false;
    context.stack.push_back(payload);
  }
  for (const std::uint32_t slot : code.defaults) context.stack.push_back(code_.constants[slot]);
  return true;
}

// An event of a variable may carry what no handler expects.
bool World::check_payload(Context& context, const Type* parameter, Value payload) {
  if (parameter == nullptr || fits(payload, parameter)) return true;
  fail(context, "cast", "the payload is not of type `" + to_string(parameter) + "`");
  return false;
}

}  // namespace ravel::p
