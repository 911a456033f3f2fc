// What processes do to each other: spawning, messages, links, monitors, exits, names, timers.
//
// Delivery is instant: a signal takes effect in the step that sends it, which keeps the order that the
// language promises between each pair of processes. A process that a signal kills still ends by an
// operation of its own (its rest becomes kEnding), so others may run between the two.
//
// The order of an end, as in ERTS: timers aimed at its pid are cancelled, its name is freed, the pid is gone,
// then exit signals go to the links and 'DOWN' messages to the watchers, each in order of pid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "erlang/machine/process.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

struct SpawnRequest {
  Term module, function;                 // or
  Term fun = Term::none();               // a fun, called with `arguments`
  std::vector<Term> arguments;
  bool link = false;
  bool monitor = false;
  Term monitor_tag = atoms::kDown;       // of the 'DOWN' message
  AliasMode monitor_alias = AliasMode::kNone;
};

struct Spawned {
  Term pid;
  Term monitor = Term::none();  // reference, if asked for
};

enum class ExitSignal : std::uint8_t {
  kLink,      // from the end of a linked process
  kExplicit,  // exit/2: an untrappable kill, `normal` to oneself counts
};

enum class TimerMessage : std::uint8_t {
  kPlain,    // send_after: the message as it is
  kTimeout,  // start_timer: {timeout, Reference, Message}
};

struct Timer {
  Term reference;
  Term target;  // pid or registered name
  Term content;
  Term creator;
  TimerMessage form = TimerMessage::kPlain;
  std::int64_t milliseconds = 0;  // as asked for
};

// Names of objects in footprints (engine Touch::object): a class and a payload that is the same in every execution.
enum class ObjectClass : std::uint8_t { kMailbox = 1, kLife, kName, kLinks, kTimer, kFlags, kProcessTable, kOutput };
constexpr std::uint64_t object_id(ObjectClass object_class, std::uint64_t payload) {
  return static_cast<std::uint64_t>(object_class) << 56 | payload;
}

}  // namespace ravel::erlang
