// What a step of an execution is: its operations, and what others can notice of it.
#pragma once

#include <cstdint>

#include "p/program/program.h"
#include "p/value/value.h"

namespace ravel::p {

// What belongs to one step.
enum class Steps : std::uint8_t {
  kOperations,  // one operation, and the code up to the next one
  // The same, but a machine goes on over `new` and `send`: others move when it has handled its event, waits
  // in a `receive`, or chooses. Not all schedules of the program are among these.
  kHandlers,
};

// When timers fire (p/program/timers.h).
enum class TimersFire : std::uint8_t {
  kAsModelled,   // they are machines like any other
  kWhenAllWait,  // time passes when no machine can do anything else
  kAnyTime,      // from their start on, until they are cancelled
};

// What a step has done that others can notice, in its order.
struct Effect {
  enum class Kind : std::uint8_t {
    kCreated,     // machine `who`
    kBegan,       // machine `who`
    kSent,        // to machine `who`
    kSentInVain,  // to machine `who`, which has halted
    kTook,        // from the queue of machine `who`, at place `message`
    kTookOrNot,   // the same, in a state that would have gone on without
    kFoundNone,   // machine `who` went on without
    kChose,       // machine `who` alone knows
    kMonitorRan,  // monitor `who`
    kFired,       // timer `who`, although it may have had something to take
    kTimePassed,  // so that timer `who` fired
  };
  Kind kind = Kind::kBegan;
  std::uint32_t who = 0;
  std::uint32_t message = 0;
};

// Which events a machine would have taken: all that a state does not defer, or those of a table.
struct Takes {
  bool is_receive = false;
  StateId state{};
  std::uint32_t table = 0;
};

// An operation of a step, for descriptions.
struct Operation {
  enum class Kind : std::uint8_t { kNone, kStart, kCreate, kSend, kTake, kDrop, kTakeNothing, kChoose };
  Kind kind = Kind::kNone;
  std::uint32_t who = 0;
  std::uint32_t other = 0;  // created, or sent to
  Value event = Value::null();
  Value payload = Value::null();
  Place place = {};
  Takes takes = {};
  bool in_vain = false;
  std::uint32_t fair_choice = 0;  // its number, from 1; 0: it is none
  bool is_of_timer = false;       // which fires
};

}  // namespace ravel::p
