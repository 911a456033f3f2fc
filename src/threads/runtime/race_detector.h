// Which accesses to memory race, by the shadow of the program's memory and the clocks of threads (shadow.h);
// and which weaker orders could matter (weak_orders.h).

#pragma once

#include <cstdint>
#include <vector>

#include "threads/protocol/messages.h"
#include "threads/runtime/shadow.h"
#include "threads/runtime/thread.h"
#include "threads/runtime/vector_clock.h"

namespace ravel::threads {

class Scheduler;
struct LibraryUse;

class RaceDetector {
 public:
  // `scheduler` must outlive this object.
  explicit RaceDetector(Scheduler& scheduler) : scheduler_(scheduler) {}

  void configure(const Configuration& configuration);
  void begin_execution();
  // The thread's next epoch: what others have learnt of it so far does not cover what it does from now on.
  void begin_epoch(Thread& thread);

  // From now on accesses are only collected, by segments of threads (segment_races.h), and nothing is known
  // of what happens before what; or no longer. REQUIRES: between executions.
  void set_collecting(bool collects) { collects_ = collects; }
  bool is_collecting() const { return collects_; }
  // Whether a thread has accessed another one's stack: then accesses of threads to their own count, too.
  bool are_stacks_shared() const { return are_stacks_shared_; }
  void note_shared_stacks() { are_stacks_shared_ = true; }

  Shadow& shadow() { return shadow_; }
  const Shadow& shadow() const { return shadow_; }

  // A plain or atomic access of the running thread that is not covered by the fast path.
  void note_access(std::uint64_t address, std::uint32_t size, AccessKind kind, std::uint64_t pc);
  // A use of what threads share inside the C library.
  void note_library_use(const LibraryUse& use, std::uint64_t pc);
  // After an atomic access that was noted (weak_orders.h): it may have met others there that nothing has
  // ordered with it.
  [[gnu::always_inline]] void note_meetings(std::uint64_t word) {
    if (shadow_.has_meetings()) [[unlikely]]
      look_at_meetings(word);
  }

 private:
  void collect(std::uint64_t address, std::uint32_t size, AccessKind kind);
  void report_race(const Shadow::Race& race, std::uint64_t address, AccessKind kind, std::uint64_t pc);
  [[noreturn]] void fail_by_race(const RaceReport& report, std::uint64_t pc);
  void note_watched(AccessKind kind, std::uint64_t pc);
  void look_at_meetings(std::uint64_t word);

  Scheduler& scheduler_;
  Shadow shadow_;
  LogicalTime clock_ = 1;
  bool repeats_matter_ = false;  // accesses that say nothing new
  bool collects_ = false, are_stacks_shared_ = false;
  struct WatchedAccess {
    std::uint32_t actor = 0;
    bool write = false;
    std::vector<std::uint64_t> stack;
  };
  std::vector<WatchedAccess> watched_accesses_;  // of this execution
};

}  // namespace ravel::threads
