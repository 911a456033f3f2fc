// Faults from outside that befall a program: processes are killed, messages are lost or arrive twice. (Why a
// step could not be completed is something else, faults.h.)
//
// The idea: each of them is a step, of the process that is killed or of the channel that carries the message,
// which is listed besides what that would do by itself. How many there may still be is part of the state. A
// process that is killed ends by a further step, as one does that another process has killed.
//
// What a process or a channel has done decides whether it may be struck; apart from the numbers that are left
// nothing else does. So a fault touches what its actor's own steps touch. A kill does not touch the mailbox:
// it makes no difference to anybody whether a message comes before it or after it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "erlang/machine/machine_options.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/machine/signals.h"

namespace ravel::erlang {

class Mishaps final : public MachinePart {
 public:
  enum class Kind : std::uint8_t { kKill, kLoss, kDuplication, kEarly };

  explicit Mishaps(Machine& its_machine) : MachinePart(its_machine) {}

  // The test begins: all that the options allow may happen.
  void begin();
  // Nothing of that happens any more.
  void end();

  std::uint32_t left(Kind kind) const;
  bool may_fire_early() const { return !options.mishaps.early || left(Kind::kEarly) > 0; }
  // REQUIRES: may_fire_early()
  void note_early() {
    if (options.mishaps.early) take(Kind::kEarly);
  }
  // A process that has ended, or has come to its end, can't be killed.
  bool may_be_killed(const Process& process) const {
    return process.rest != Rest::kEnding && process.rest != Rest::kEnded;
  }
  // Signals of links, monitors and exits come as they are sent.
  static bool may_be_lost(const Signal& signal) {
    return signal.kind == Signal::Kind::kMessage || signal.kind == Signal::Kind::kAliasMessage;
  }
  // Whether what the process sends comes late.
  bool is_slow(Term sender) const;

  // REQUIRES for these: may_be_killed(), may_be_lost() of the oldest signal, and there are some left.
  void kill(Process& process);
  void lose(std::size_t channel);
  void duplicate(std::size_t channel);

  // Who has ended a process that was killed here: Process::exit_origin.
  static constexpr Term kOrigin = atoms::kSystem;

 private:
  void take(Kind kind);
};

}  // namespace ravel::erlang
