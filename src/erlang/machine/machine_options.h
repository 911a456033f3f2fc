// What a machine can be asked to do otherwise.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "erlang/machine/process_pattern.h"
#include "erlang/term/heap.h"
#include "erlang/term/store.h"

namespace ravel::erlang {

// Does a process find out that it can't go on by a step of its own (thesis, figure 4.3), or never?
enum class Blocking : std::uint8_t { kAvoid, kExplore };

// When an `after` clause or a timer may fire.
enum class TimePolicy : std::uint8_t {
  kAny,        // at any point after it was set, whatever its duration: no slowness is missed
  kDeadlines,  // when no other deadline is earlier; until then, and then too, everything else may go on
  kIdle,       // when it is due: time passes, to the earliest deadline, only when nobody can go on
};

// What the clocks of a program show.
enum class Clocks : std::uint8_t {
  kFrozen,   // always the same
  kVirtual,  // when the last deadline was that has passed; reading one is then an operation, if that can be
             // while others go on
};

// When a signal of another process takes effect.
enum class Delivery : std::uint8_t {
  kInstant,   // in the step that sends it
  kChannels,  // in a step of its own, in any order that the language allows (channels.h)
};

// Whether others see a process that has ended before everybody has heard of it. With channels they do,
// whatever is said here.
enum class Ends : std::uint8_t {
  kStepwise,  // each exit signal and 'DOWN' message that it sends is a step of its own
  kAtomic,    // they are one step with the end
};

// How far a step of a process goes.
enum class Steps : std::uint8_t {
  kOperations,  // one operation, and the local code after it
  kReceives,    // on to the next message that is taken, timeout, choice or end; to begin is a step, too
};

// A module whose code changes while a test runs: its calls, and questions about it, are operations if more
// than one process has to do with it. Or, without a name, the path in which modules are looked for, or where
// processes print to (bif/console.cc).
struct WatchedCode {
  enum class Kind : std::uint8_t { kModule, kPath, kDevices };
  Kind kind = Kind::kModule;
  std::string module = {};
  bool is_shared = false;
  bool operator==(const WatchedCode&) const = default;
};

// What comes of an operation that shows in which order messages lie in a mailbox, other than by taking one of
// them.
enum class MessageOrder : std::uint8_t {
  kFree,     // it is carried out
  kRefused,  // it is refused: events were said not to depend on that order
  kNoted,    // it is carried out, and in footprints what goes into one mailbox conflicts
};

// How often what befalls a program in an execution (mishaps.h), and whom.
inline constexpr std::uint32_t kMishapsMax = 1'000;
struct MishapOptions {
  std::uint32_t kills = 0;
  std::vector<ProcessPattern> victims = {};  // none: all processes of the test but the one that runs it
  // With channels
  std::uint32_t losses = 0, duplications = 0;
  std::vector<ProcessPattern> slow = {};  // what they send comes when nothing else can happen
  // Timeouts that fire early, of which there are as many as one likes if this is nothing (fires_early). They
  // are no faults, but counted likewise.
  std::optional<std::uint32_t> early = {};
  // A process must give itself the name by which it may be killed: whether it has it follows from what it has
  // done (strategy/fault_plans.h).
  bool names_are_own = false;

  std::uint32_t count() const { return kills + losses + duplications; }
};

// Processes that are interchangeable.
using ProcessGroup = std::vector<ProcessPattern>;

struct MachineOptions {
  std::uint64_t reductions_per_step_max = 100'000'000;  // function calls between two operations
  Blocking blocking = Blocking::kAvoid;
  // An `after` or timer of as much never fires
  std::int64_t after_infinite_ms = std::numeric_limits<std::int64_t>::max();
  TimePolicy time = TimePolicy::kAny;
  bool fires_early = false;  // with kIdle: a timeout may also fire before it is due, which moves time on
  Delivery delivery = Delivery::kInstant;
  Ends ends = Ends::kStepwise;
  Steps steps = Steps::kOperations;
  Clocks clocks = Clocks::kFrozen;  // kVirtual REQUIRES a policy under which time passes
  std::int64_t random_seed = 0;     // of the program's own random numbers (rand)
  // What happens in a call of theirs is one step (atomic_calls.h)
  std::vector<std::string> atomic_modules = {};
  std::vector<std::pair<std::string, std::string>> stubs = {};  // calls of the first module go to the second
  // How much is allocated and stored between two collections, at least; less than that finds forgotten roots.
  std::size_t nursery_words = Heap::kDefaultWords;
  std::size_t store_words = Store::kDefaultWords;
  Store::Hashes store_hashes = Store::Hashes::kNarrow;
  // For searches that compare executions: what is sent is noted for would_take(), and a timer outlives the
  // process that it is aimed at, so that it is seen what it would have sent.
  bool notes_messages = false;
  // For searches by states: names that are free are given again (free_names.h), time that no clock has shown
  // is forgotten, and so are output and what is kept only to compare executions.
  bool recurring = false;
  MessageOrder message_order = MessageOrder::kFree;
  // Something looks at what processes show of themselves: probes and labels are operations then (probes.h).
  bool observes = false;
  bool marks_execution = false;  // of each instruction, for execution_marks()
  MishapOptions mishaps = {};
  // With `recurring`: groups whose processes the program tells apart by equality only (opaque_names.h).
  std::vector<ProcessGroup> symmetric = {};
  // Modules whose code changes while the test runs, as far as other executions have shown (run_time_code.h).
  std::vector<WatchedCode> watched_code = {};
  // Variables that are set at the start, by name
  std::vector<std::pair<std::string, std::string>> environment = {};
};

}  // namespace ravel::erlang
