// Machines that model a timer: which they are, and what there is to know of them.
//
// P has no time. Its tutorial has a machine that stands for a timer of the system: after its start it chooses
// again and again whether to fire, and sends itself an event to be asked anew. Each round is a step and a
// state of nothing but waiting. A search that knows such a machine does without the rounds.
//
// What is recognised, whatever the names are (p-org/P, Tutorial/Common/Timer; Tutorial/6_Raft):
//
//   state Armed {
//     entry { if (CHOICE) { send CLIENT, FIRED; goto Idle; } else { send this, AGAIN; } }
//     on AGAIN goto Armed;          // or: on AGAIN do, with the same function
//     ...                           // what cancels it, what is deferred: as the program says
//   }
//
// with CHOICE one of `$`, `$$`, `choose(N) == K` and the like, and with AGAIN ignored by all states that
// Armed can go to, and observed by no spec.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "p/program/program.h"

namespace ravel::p {

struct Timer {
  MachineId machine{};
  StateId armed{};
  EventId again{};          // what it sends itself; nobody else has to do with it
  FunctionId decides{};     // the function that chooses; entering `armed` runs it, maybe through another one
  std::uint32_t fires = 0;  // which alternative of its choice is to fire: any one of those that do
};

// A machine that is a timer by its name only: where it differs from what is recognised.
struct UnknownTimer {
  MachineId machine{};
  Place place = {};
  std::string why;  // a sentence without a full stop
};

struct Timers {
  std::vector<Timer> known;
  std::vector<UnknownTimer> unknown;

  const Timer* of_state(StateId state) const {
    for (const Timer& one : known)
      if (one.armed == state) return &one;
    return nullptr;
  }
};

Timers find_timers(const Program& program);

}  // namespace ravel::p
