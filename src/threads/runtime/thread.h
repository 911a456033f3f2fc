// A thread of the program under test, and what it is about to do.

#pragma once

#include <signal.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/actor.h"
#include "engine/transition.h"
#include "threads/protocol/operation.h"
#include "threads/runtime/fiber.h"
#include "threads/runtime/vector_clock.h"
#include "threads/runtime/waiting_loop.h"

namespace ravel::threads {

struct SyncObject;
struct Thread;

// Deadlines, where time follows them: of a wait that never gives up, and of one that may do so whenever it
// likes.
inline constexpr std::uint64_t kNever = ~std::uint64_t{0}, kAtAnyTime = kNever - 1;

// An operation before which a thread waits. What it needs to be enabled follows from these fields alone.
struct Operation {
  OperationKind kind = OperationKind::kNone;
  bool expires = false;      // may go on without what it waits for, or fail: alternative 1
  bool is_spurious = false;  // and that is not to be relied on: a thread that can do nothing else is stuck
  std::uint32_t size = 0;
  std::uint64_t address = 0;
  std::uint64_t other = 0;
  SyncObject* object = nullptr;  // what it waits for, if anything
  SyncObject* second = nullptr;
  Thread* thread = nullptr;  // whom it waits for
  std::uint64_t pc = 0;

  // Member by member, so that one that was just written is not read again, by wider reads that have to wait
  // for that.
  [[gnu::always_inline]] void set(const Operation& other_one) {
    kind = other_one.kind;
    expires = other_one.expires;
    is_spurious = other_one.is_spurious;
    size = other_one.size;
    address = other_one.address;
    other = other_one.other;
    object = other_one.object;
    second = other_one.second;
    thread = other_one.thread;
    pc = other_one.pc;
  }
};

// A call that has not returned.
struct CallFrame {
  std::uint64_t pc = 0;   // in the function
  std::uint64_t low = 0;  // the stack pointer there; the call's own memory goes on up to that of the next one
};

struct AtThreadEnd {
  void (*function)(void*);
  void* argument;
};

enum class ThreadState : std::uint8_t { kNew, kWaiting, kRunning, kEnded };

// What never becomes null: the gate of a thread that is not before an operation.
inline Thread* const kClosed = reinterpret_cast<Thread*>(1);

// More writes than these between two unlocks are a change, whatever they write.
inline constexpr std::uint32_t kWritesNoted = 8;

// A piece of a word that a thread has accessed since its last operation (segment_races.h).
struct SegmentAccess {
  std::uint64_t word = 0;
  std::uint8_t bytes = 0;  // a bit a byte
  bool writes = false, is_atomic = false;

  friend auto operator<=>(const SegmentAccess&, const SegmentAccess&) = default;
};

struct Look {
  std::uint64_t place = 0;        // in the code, and at what
  std::uint64_t overwritten = 0;  // before it
  std::uint32_t number = 0;       // of the thread's looks
};

struct Thread {
  // Hot: read by every instrumented access.
  std::uint64_t fast_epoch = 0;  // equals `epoch`, or is epoch::kNone if every access has to be looked at
  std::uint64_t epoch = 0;       // of the detector, without bytes
  std::uint64_t stack_low = 0, stack_size = 0;

  std::uint32_t slot = 0;
  std::uint32_t number = 0;  // in the execution
  ActorId actor{};
  void* stack = nullptr;  // where it was switched away
  ThreadState state = ThreadState::kNew;
  Operation pending;
  std::vector<std::uint64_t> pending_stack;  // while executions are recorded
  std::vector<CallFrame> calls;              // when its stack was last looked at, innermost first
  // What has to be null for the pending operation to be enabled, in one way; null itself:
  // Deadlines::alternatives() knows. It is asked for every thread before every step, and which kind of
  // operation comes next cannot be predicted.
  Thread* const* gate = nullptr;
  Transition transition;        // the only way to go on that most operations have
  Thread* until_end = nullptr;  // the thread itself until it has ended
  std::uint32_t alternative = 0;
  std::uint64_t deadline = kNever;  // of the pending operation, in ticks, where that counts
  // When to look again, for a thread that goes round and round at the clock, where time passes by itself
  std::uint64_t polls_until = kNever;
  bool has_waited_for_time = false;  // the last wait was over only when time had passed
  std::uint64_t poll_ticks = 0;      // how long it has waited so the last time
  std::uint64_t clock_step = 0;      // the step in which it looked at the clock last
  std::uint32_t clock_looks = 0;     // how often in that

  Slot place;
  VectorClock clock;
  LogicalTime own_clock = 0;

  void* (*start)(void*) = nullptr;
  int (*start_c11)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  std::uint64_t created_at = 0;
  std::vector<std::uint64_t> created_stack;  // while executions are recorded
  bool has_moved = false;
  bool is_detached = false, is_joined = false;
  std::uint32_t ignored_races = 0;  // how many times it has begun to say that its races are harmless
  std::uint32_t children = 0;

  // Fairness: how many operations in a row have only looked at what was looked at before, see
  // Fairness::note_look().
  std::uint32_t spins = 0, spins_before = 0;
  std::uint32_t looks_in_a_row = 0, looks_before = 0;  // looks in a row, at whatever
  std::uint32_t looks_next = 0, look_number = 0;
  std::uint32_t round = 0;                // distance, in looks, of the last two at one place
  std::array<Look, 64> looks{};           // the last looks: the first `looks_next` places are in use, or all
  std::uint64_t overwritten = 0;          // since it has unlocked something: a hash
  const SyncObject* semaphore = nullptr;  // taken last, and not given back
  bool stands_back = false;
  bool has_woken = false;            // other threads, since it last stood back
  std::uint32_t phase = 0;           // how many looks later than usual it stands back
  std::uint32_t volatile_reads = 0;  // since the last operation
  bool has_read_clock = false;       // since it last gave way
  bool has_only_looked = false;      // since it has come to its last operation
  // What others may see, since it has unlocked something, other than by the writes that follow
  bool has_changed = false;
  // In `overwritten`, of those that others may see: the first ones since then
  std::uint32_t writes_noted = 0;
  WaitingLoop loop;
  std::vector<SegmentAccess> segment;  // by states

  void note_change() {
    has_only_looked = false;
    has_changed = true;
  }
  // The thread writes what others may see: a change, if it overwrites something else than it did the last
  // time.
  void note_write(std::uint64_t address, std::uint32_t size) {
    if (writes_noted == kWritesNoted) [[likely]] {
      note_change();
      return;
    }
    has_only_looked = false;
    ++writes_noted;
    note_overwriting(address, size);
  }
  void note_overwriting(std::uint64_t address, std::uint32_t size) {
    for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + size; word += 8)
      overwritten = ((overwritten << 7) + word) * 0x9e3779b97f4a7c15 +
                    *reinterpret_cast<const std::uint64_t*>(word) * 0xbf58476d1ce4e5b9;
  }

  // As the program has set it; faults arrive whatever it says.
  sigset_t signal_mask;
  sigset_t pending_signals;  // raised while they were blocked
  stack_t signal_stack;      // no signal is handled there

  // Woken while it waits on a condition variable or a futex.
  bool is_woken = false;
  int wake_result = 0;

  std::vector<AtThreadEnd> at_end;    // destructors of thread_local variables
  std::vector<const void*> specific;  // by key
};

// In footprints.
inline std::uint64_t object_of(const Thread& thread) {
  return kThreadObjects + static_cast<std::uint64_t>(thread.actor);
}

}  // namespace ravel::threads
