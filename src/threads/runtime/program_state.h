// The state of the program between two steps, as a hash: all that decides what can happen next.
//
// What is in it: writable data of the program and its libraries, and the blocks of the heap (where they are,
// how large they are, and what is in them); of each thread its stack, with the registers that it has left
// there, its thread-local variables, its pending operation, and what it has accessed since the last one
// (segment_races.h); what the runtime knows of synchronisation, signals, keys, and functions for the end; how
// far away deadlines are, and the clock, if what time it is has ever decided something. Addresses are those
// of layout.h and follow from the program alone.
//
// What is not: what was printed, nor where the streams of that are; what is in files, pipes and mappings,
// whose change is refused (MemoryAccesses::refuse_outside_state); clocks of the race detector; counts.
//
// The idea: the sum of the hashes of its parts, each with its address. Of memory that can be large the parts
// are pages, of which a copy is kept with its hash, so that only those are hashed that have changed since the
// last time. Pages of data that are as at the start count nothing.
//
// What makes states look different that are the same, gaps in stacks above all, only costs more states: see
// Scheduler::begin_step_by_states() for what is done about it.
//
// Cost: a comparison of each page that was ever written to, and some 4 bytes a nanosecond for what has
// changed; twice the memory of such pages.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "base/wide_hash.h"
#include "threads/runtime/layout.h"

namespace ravel::threads {

class Scheduler;
struct Thread;

class ProgramState {
 public:
  // `scheduler` must outlive this object.
  explicit ProgramState(Scheduler& scheduler) : scheduler_(scheduler) {}

  // REQUIRES, also for the second: every thread waits or has ended.
  Hash128 hash();
  // Of what all threads share, but for stacks and objects of synchronisation.
  Hash128 hash_of_data();
  std::uint64_t bytes() const { return pages_.size() * (sizeof(Page) + 32); }

 private:
  struct Page {
    std::uint64_t size = 0;  // of what is known of it
    Hash128 hash;
    std::uint64_t words[kPageSize / sizeof(std::uint64_t)];
  };

  void add(const Hash128& part) {
    sum_.low += part.low;
    sum_.high += part.high;
  }
  void add_printing_aside(std::uint64_t low, const void* memory, std::uint64_t size);
  void add_page(std::uint64_t low, const void* memory, std::uint64_t size);
  void add_data();
  void add_heap();
  void add_objects();
  void add_thread(const Thread& thread);
  void add_rest();

  Scheduler& scheduler_;
  Hash128 sum_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;  // by address
};

}  // namespace ravel::threads
