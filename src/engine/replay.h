// Runs a ticket again: follows its schedule by logical names, and says whether the bug still happens.
//
// The program may have been edited since. As long as the named actor is enabled with the named alternative,
// the schedule is followed; at the first step where it is not, the replay has diverged, and goes on without
// preemptions: with the previous actor while that is enabled, else with the first one.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/recording.h"
#include "engine/system.h"
#include "engine/ticket.h"

namespace ravel {

enum class ReplayOutcome : std::uint8_t {
  kSameBug,      // the ticket's bug, perhaps at another line
  kAnotherBug,   // the execution violates another property
  kNoBug,        // the execution ends without a bug
  kUnsupported,  // the program now does something that no schedule controls
};

// At this step of the ticket, from 1, something is different: `what` is a sentence without a full stop.
struct Difference {
  std::size_t step = 0;
  std::string what;

  friend bool operator==(const Difference&, const Difference&) = default;
};

enum class LeftOpen : std::uint8_t { kNo, kWithoutLoop, kGoingOn };

struct Replay {
  Recording recording;
  ReplayOutcome outcome = ReplayOutcome::kNoBug;
  std::optional<Difference> divergence;  // from here on the schedule could not be followed
  // Where the execution was left although it could go on: that of a ticket with a lasso at the end of what
  // could be followed, others some time later if they need not end
  LeftOpen left_open = LeftOpen::kNo;
  // The first followed step that did another operation than noted
  std::optional<Difference> operation_changed;
};

// Watches an execution, and judges whether it violates what an execution without an end can violate.
class EndlessJudge {
 public:
  virtual ~EndlessJudge() = default;

  // The System is in the initial state, or this step was taken.
  virtual void note(System& system, std::optional<ActorId> moved) = 0;
  // The bug, if the last `loop` of the steps can be taken again and again.
  virtual std::optional<Bug> judge(System& system, std::uint64_t loop) = 0;
};

// What an execution is that goes on and on where the ticket's one has ended.
enum class GoingOn : std::uint8_t {
  kIsFollowed,  // to the bound on events, and that is a bug
  kIsLeft,      // no bug: it is left some time after the ticket's end
};

// `judge`: of a ticket with a lasso.
Replay replay(System& system, const Ticket& ticket, EndlessJudge* judge = nullptr,
              GoingOn going_on = GoingOn::kIsFollowed);

}  // namespace ravel
