// What the machine notes of the operation it has just executed: enough to tell it as a story.
#pragma once

#include <cstdint>

#include "erlang/machine/builtin.h"
#include "erlang/machine/code.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

enum class OperationKind : std::uint8_t {
  kNone,
  kSend,     // subject: addressed (pid, name or reference); object: pid that got it, or none; value: message
  kReceive,  // subject: sender; value: message
  kAfter,    // value: milliseconds
  kBegin,    // of a process; only with Steps::kReceives
  kBlock,    // finds no message (only without blocking avoidance)
  kEnd,      // value: exit reason
  kTell,     // after its end; object: who was linked with it or watches it; value: message, or exit reason;
             // reason: 'EXIT' if it is an exit signal, none if it is a message
  kTimerFires,     // subject: reference; object: receiver; value: message
  kTimePasses,     // value: milliseconds; none: as long as anything could befall the program
  kSignalArrives,  // subject: sender; object: receiver; value: message or reason; reason: 'EXIT' if it is an
                   // exit signal
  kKilled,         // by nobody; object: who
  kLost,           // as kSignalArrives, but it does not
  kArrivesTwice,   // as kSignalArrives, but a copy is still on its way
  kCall,     // of a function whose code may change; subject: module; object: function or, of a fun, none;
             // arguments, value: how many
  kBuiltin,  // any other built-in: `builtin`, its arguments and result
};

inline constexpr std::size_t kRecordedArguments = 4;

struct EventRecord {
  OperationKind kind = OperationKind::kNone;
  Term actor;  // pid, or the reference of a timer or channel
  Term subject, object, value;
  const Builtin* builtin = nullptr;
  Term arguments[kRecordedArguments];  // of the built-in; the first ones
  Term result = Term::none();          // none: it raised `reason`
  Term reason;
  bool is_priority = false;         // what is sent goes ahead of other messages
  const CodeWord* place = nullptr;  // of the operation; null: no code (a timer)
};

}  // namespace ravel::erlang
