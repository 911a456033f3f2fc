// Transitions (what could happen next) and events (what happened).
//
// Plain data that the explorer handles millions of times a second: nothing here allocates.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/actor.h"

namespace ravel {

enum class TransitionKind : std::uint8_t {
  kOperation,  // executes the actor's pending operation
  kBlocks,     // the actor finds that it can't go on, which nobody notices; listed only without blocking
               // avoidance
  kPasses,  // time passes, until something that an actor waits for is due; listed only where nothing else is
  kEarly,   // the actor's timeout fires before time has passed so far by itself; listed only where something
            // else is
  kFault,   // what its surroundings do to the actor: it is killed, or what it carries is lost; never the only
            // one that is listed
};

// The kind that files and messages write as this number. Nothing: there is none.
constexpr std::optional<TransitionKind> transition_kind(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>(TransitionKind::kFault)) return std::nullopt;
  return static_cast<TransitionKind>(number);
}

// Whether it happens without being asked for: an actor of which nothing else is listed waits.
constexpr bool happens_by_itself(TransitionKind kind) {
  return kind != TransitionKind::kEarly && kind != TransitionKind::kFault;
}

// An enabled move of one actor. An actor with a data choice has several, told apart by `alternative`.
struct Transition {
  ActorId actor{};
  std::uint32_t alternative = 0;
  TransitionKind kind = TransitionKind::kOperation;

  friend bool operator==(const Transition&, const Transition&) = default;
};

// How many steps of a kind there are in a schedule of transitions or of named steps.
template <class Schedule>
constexpr std::uint32_t count_kind(const Schedule& schedule, TransitionKind kind) {
  std::uint32_t count = 0;
  for (const auto& step : schedule) count += step.kind == kind ? 1 : 0;
  return count;
}
// How many timeouts fired early.
template <class Schedule>
constexpr std::uint32_t count_early(const Schedule& schedule) {
  return count_kind(schedule, TransitionKind::kEarly);
}
template <class Schedule>
constexpr std::uint32_t count_faults(const Schedule& schedule) {
  return count_kind(schedule, TransitionKind::kFault);
}

// How an operation touches an object. The values from kSend to kSendInVain are for mailboxes: a mailbox keeps
// its messages in the order of sending, priority messages (Touch::is_priority) ahead of all others, and a
// receive takes the first one that it can use.
enum class Access : std::uint8_t {
  kRead,             // commutes with other reads
  kWrite,            // commutes with nothing
  kCreate,           // as kWrite, and before it the actor that this object belongs to could not move
  kSend,             // puts a message after the others, or, a priority message, after the others of that kind
  kReceive,          // takes a message; would wait if there were none
  kReceiveOrExpire,  // takes a message; would go on without one after some time
  kExpire,           // goes on without one: there is none that it could use
  kRemove,           // drops a message that some other touch of the same event explains
  kSendInVain,  // puts no message there, but would have if it had come before something that it commutes with
  kChange,      // commutes with other changes, not with reads and writes
  kAcquire,     // a write that waits until the acquiring one before it is released
  kRelease,     // a write that ends what an acquiring one has begun
  kPass,  // time passes: it comes after every event before it in every equivalent execution, and before every
          // later one
};

// An object is a mailbox, a name in a registry, a key of a table, a lock, a location, an actor's life: the
// System numbers them so that the same object has the same number in every execution. An event lists its
// touches in the order in which it decides on them: which object comes next may depend on what it has read
// before.
struct Touch {
  std::uint64_t object = 0;
  Access access = Access::kRead;
  // Whether what it finds may change what the event touches next, or keep it from happening
  bool decides = true;
  bool is_coarse = false;     // with another such touch: System::conflict_closely() knows better
  bool is_priority = false;   // of a send: the message goes ahead of all that are not
  std::uint32_t message = 0;  // which one a receive or a removal takes: 0 is the first in the mailbox

  friend bool operator==(const Touch&, const Touch&) = default;
};

// Sets of them, as bits: what follows is asked several times for each event.
constexpr std::uint32_t access_bit(Access access) {
  return std::uint32_t{1} << static_cast<unsigned>(access);
}
inline constexpr std::uint32_t kWriteBits = access_bit(Access::kWrite) | access_bit(Access::kCreate) |
                                            access_bit(Access::kAcquire) | access_bit(Access::kRelease);

// Whether it commutes with nothing.
constexpr bool is_write(Access access) { return (access_bit(access) & kWriteBits) != 0; }

// Whether two touches of one object by different actors depend on each other by themselves. Messages are left
// out: a receive depends on the send whose message it takes, and two sends only on what receives do with
// them.
constexpr bool conflicts(Access a, Access b) {
  constexpr std::uint32_t kRead = access_bit(Access::kRead), kExpire = access_bit(Access::kExpire);
  const std::uint32_t both = access_bit(a) | access_bit(b);
  return (both & kWriteBits) != 0 || ((both & kRead) != 0 && (both & ~(kRead | kExpire)) != 0);
}

// Whether a touch sends a message, be it in vain.
constexpr bool is_send(Access access) { return access == Access::kSend || access == Access::kSendInVain; }

// What one operation touched. Whether two events commute is a function of their footprints alone, and, for
// messages, of System::could_take().
using Footprint = std::span<const Touch>;

// An operation that was executed. The footprint is the System's storage, valid until its next step,
// restore or reset.
struct Event {
  ActorId actor{};
  std::uint32_t alternative = 0;
  Footprint footprint;
};

}  // namespace ravel
