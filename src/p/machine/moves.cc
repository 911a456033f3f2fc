#include "p/machine/moves.h"

#include "p/machine/operators.h"

namespace ravel::p {

Moves::Moves(const Code& code, Steps steps, TimersFire timers)
    : code_(code),
      steps_(steps),
      timers_(timers == TimersFire::kAsModelled ? Timers{} : find_timers(*code.program)) {}

Takes Moves::takes(const LiveMachine& live) const {
  if (live.phase == Phase::kIdle) return {.state = live.state};
  return {.is_receive = true, .table = code_.instructions[live.pc].a};
}

// A `receive` takes `halt`, too.
bool Moves::would_take(const Takes& takes, Value event) const {
  const EventId id{event.event_number()};
  if (!takes.is_receive) return !code_.defers(takes.state, id);
  return id == kHaltEvent || code_.receives[takes.table].find(id) != nullptr;
}

std::optional<std::size_t> Moves::first_taken(const LiveMachine& live, const Takes& takes) const {
  for (std::size_t i = 0; i < live.queue.size(); ++i)
    if (would_take(takes, live.queue[i].event)) return i;
  return std::nullopt;
}

std::uint32_t Moves::alternatives(const LiveMachine& live) const {
  switch (live.phase) {
    case Phase::kStarting: return 1;
    case Phase::kHalted: return 0;
    case Phase::kIdle: return has_null_handler(live) || first_taken(live, takes(live)) ? 1 : 0;
    case Phase::kAtOperation: break;
  }
  switch (code_.instructions[live.pc].op) {
    case Opcode::kReceive: return first_taken(live, takes(live)) ? 1 : 0;
    case Opcode::kChooseBool: return 2;
    case Opcode::kChooseInt: return static_cast<std::uint32_t>(integer_value(live.stack.back()));
    case Opcode::kChooseFrom: return static_cast<std::uint32_t>(size_of(live.stack.back()));
    default: return 1;
  }
}

bool Moves::is_in_same_step(const LiveMachine& live) const {
  if (steps_ == Steps::kOperations || !live.is_running()) return false;
  const Opcode op = code_.instructions[live.pc].op;
  return op == Opcode::kNew || op == Opcode::kSend;
}

}  // namespace ravel::p
