// What happens around functions: events find their handlers, states are left and entered.

#include <utility>

#include "base/check.h"
#include "p/machine/interpreter.h"
#include "p/value/object.h"

namespace ravel::p {

void Interpreter::start(LiveMachine& live) {
  // What it was created with stands where the payload for its first state does.
  if (enter(live)) go_on(live);
}

void Interpreter::take(LiveMachine& live, EventId event, Value payload) {
  if (handle(live, event, payload)) go_on(live);
}

void Interpreter::take_in_receive(LiveMachine& live, std::uint32_t table, const Message& message) {
  const EventId event{message.event.event_number()};
  if (listener_ != nullptr) listener_->note_reaction(live, event, Reaction::kInReceive);
  const ReceiveTable::Case* const taken = code_.receives[table].find(event);
  if (taken == nullptr) {  // `halt`, which is raised then
    leaving_ = {.event = message.event, .payload = message.payload};
    if (leave(live)) go_on(live);
    return;
  }
  Value payload = message.payload;
  if (taken->unwraps_payload && is_tuple(payload)) payload = tuple_part(payload, 0);
  if (!check_payload(live, taken->parameter, payload)) return;
  live.stack.push_back(payload);
  live.pc = taken->code;
  go_on(live);
}

void Interpreter::call(LiveMachine& live, FunctionId function) {
  if (begin(live, function, Value::null(), false)) go_on(live);
}

void Interpreter::begin_monitor(LiveMachine& monitor, MachineId machine) {
  machines_.begin(monitor, machine);
  if (!failure_ && enter(monitor)) go_on(monitor);
}

template <class Run>
std::optional<Failure> Interpreter::run_beside(LiveMachine& monitor, const Run& run) {
  CHECK(!failure_);
  WorldListener* const listener = std::exchange(listener_, nullptr);
  const std::size_t printed = output_.size();
  begin_count();
  beside_ = &monitor;
  run();
  beside_ = nullptr;
  listener_ = listener;
  output_.resize(printed);
  refusal_.reset();
  return std::exchange(failure_, std::nullopt);
}

LiveMachine Interpreter::monitor_beside(MachineId monitor, std::optional<Failure>& failed) {
  LiveMachine live;
  failed = run_beside(live, [&] { begin_monitor(live, monitor); });
  return live;
}

std::optional<Failure> Interpreter::show(LiveMachine& monitor, EventId event, Value payload) {
  return run_beside(monitor, [&] { take(monitor, event, payload); });
}

// Runs until the next operation, the end of the handler, or a bug.
void Interpreter::go_on(LiveMachine& live) {
  while (true) {
    switch (execute(live)) {
      case Pause::kOperation: live.phase = Phase::kAtOperation; return;
      case Pause::kFailed: return;
      case Pause::kReturned:
        if (!after_function(live)) return;
        break;
      case Pause::kLeft:
        if (!leave(live)) return;
        break;
    }
  }
}

bool Interpreter::after_function(LiveMachine& live) {
  live.stack.clear();
  live.base = 0;
  switch (live.stage) {
    case Stage::kHandler: live.rest(Phase::kIdle); return false;
    case Stage::kExit: return after_exit(live);
    case Stage::kTransition: return enter(live);
    case Stage::kExitToHalt: halt(live); return false;
  }
  CHECK(false);
}

void Interpreter::halt(LiveMachine& live) {
  live.rest(Phase::kHalted);
  live.fields.clear();
  live.queue.clear();
}

bool Interpreter::leave(LiveMachine& live) {
  const Leaving how = leaving_;
  leaving_ = {};
  live.rest(Phase::kIdle);
  if (how.is_goto) return begin_transition(live, how.target, how.payload);
  return handle(live, EventId{how.event.event_number()}, how.payload);
}

// What is raised is never deferred: it is dropped, like what is ignored.
bool Interpreter::handle(LiveMachine& live, EventId event, Value payload) {
  live.rest(Phase::kIdle);
  // It is asked whether to fire at all times.
  if (const Timer* const timer = moves_.timer_of(live.state); timer != nullptr && timer->again == event)
    return false;
  const Action* const action = code_.reaction(live.state, event);
  if (action == nullptr && event == kHaltEvent) {
    if (listener_ != nullptr) listener_->note_reaction(live, event, Reaction::kHalts);
    live.stage = Stage::kExitToHalt;
    if (const std::optional<FunctionId> exit = program_.state(live.state).exit)
      return begin(live, *exit, Value::null(), false);
    halt(live);
    return false;
  }
  if (action == nullptr) {
    fail(live, "unhandled_event",
         "event `" + texts_.event(index(event)) + "` is not handled in state `" +
             std::string(texts_.state_of(live)) + "`");
    return false;
  }
  if (listener_ != nullptr)
    listener_->note_reaction(live, event,
                             action->kind == ActionKind::kDo     ? Reaction::kFunction
                             : action->kind == ActionKind::kGoto ? Reaction::kTransition
                                                                 : Reaction::kIgnored);
  switch (action->kind) {
    case ActionKind::kDefer:
    case ActionKind::kIgnore: return false;
    case ActionKind::kDo: return begin(live, *action->function, payload, action->unwraps_payload);
    case ActionKind::kGoto:
      live.unwraps_payload = action->unwraps_payload;
      live.target_unwraps_payload = action->target_unwraps_payload;
      if (action->function) live.between = index(*action->function);
      return begin_transition(live, action->target, payload);
  }
  CHECK(false);
}

bool Interpreter::begin_transition(LiveMachine& live, StateId target, Value payload) {
  if (listener_ != nullptr) listener_->note_left(live, target);
  live.target = target;
  live.carried = payload;
  live.stage = Stage::kExit;
  if (const std::optional<FunctionId> exit = program_.state(live.state).exit)
    return begin(live, *exit, Value::null(), false);
  return after_exit(live);
}

bool Interpreter::after_exit(LiveMachine& live) {
  live.stage = Stage::kTransition;
  if (live.between == kNowhere) return after_function(live);
  return begin(live, FunctionId{live.between}, live.carried, live.unwraps_payload);
}

// The state that it is to be in: at first its own, then `target`.
bool Interpreter::enter(LiveMachine& live) {
  const bool is_first = live.stage == Stage::kHandler;
  const StateId state = is_first ? live.state : live.target;
  const Value payload = live.carried;
  const bool unwraps = live.target_unwraps_payload;
  live.rest(Phase::kIdle);
  live.state = state;
  if (listener_ != nullptr) listener_->note_entered(live, state);
  if (moves_.timer_of(state) != nullptr) return false;  // it chooses when it fires
  if (const std::optional<FunctionId> entry = program_.state(state).entry)
    return begin(live, *entry, payload, unwraps);
  return false;
}

bool Interpreter::begin(LiveMachine& live, FunctionId function, Value payload, bool unwraps) {
  const FunctionCode& code = code_.functions[index(function)];
  live.stack.clear();
  live.frames.clear();
  live.base = 0;
  live.pc = code.code;
  if (code.parameters > 0) {
    if (unwraps && is_tuple(payload)) payload = tuple_part(payload, 0);
    if (!check_payload(live, code.parameter, payload)) return false;
    live.stack.push_back(payload);
  }
  for (const std::uint32_t slot : code.defaults) live.stack.push_back(code_.constants[slot]);
  return true;
}

// An event of a variable may carry what no handler expects.
bool Interpreter::check_payload(LiveMachine& live, const Type* parameter, Value payload) {
  if (parameter == nullptr || fits(payload, parameter)) return true;
  fail(live, "cast", "the payload is not of type `" + to_string(parameter) + "`");
  return false;
}

}  // namespace ravel::p
