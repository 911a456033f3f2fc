// The operations of a thread that others can notice, as the runtime names them to the command that drives it.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/transition.h"

namespace ravel::threads {

enum class OperationKind : std::uint8_t {
  kNone,
  kRead,
  kWrite,
  kAtomicLoad,
  kAtomicStore,
  kAtomicUpdate,
  kFence,
  kCreate,
  kJoin,
  kDetach,
  kEnd,
  kExit,
  kLock,
  kTryLock,
  kTimedLock,
  kUnlock,
  kReadLock,
  kTryReadLock,
  kTimedReadLock,
  kWriteLock,
  kTryWriteLock,
  kTimedWriteLock,
  kUnlockShared,
  kSpinLock,
  kTrySpinLock,
  kSpinUnlock,
  kDestroy,
  kWait,
  kWake,
  kSignal,
  kBroadcast,
  kBarrierArrive,
  kBarrierLeave,
  kSemaphoreWait,
  kSemaphoreTry,
  kSemaphoreTimedWait,
  kSemaphorePost,
  kSemaphoreRead,
  kOnce,
  kOnceDone,
  kFutexWait,
  kFutexWoken,
  kFutexWake,
  kYield,
  kSleep,
  kLibraryRead,   // looks at what threads share inside the C library
  kLibraryWrite,  // changes it
  kLibraryWait,   // changes it, and waits for it
  // The program says that what it did is known to those who say the other.
  kAnnotatedBefore,
  kAnnotatedAfter,
  kPoll,        // waits until one of several open files is ready
  kClockRead,   // if time follows deadlines
  kTimePasses,  // of no thread; `after`: by how much
  kChoice,      // ravel_choose(): `result` of 1 to `size`
  kProbe,       // ravel_probe(): `text` and `result`
  kLabel,       // ravel_label() and ravel_progress(): `text`
};

// Objects of footprints that are no addresses: this plus the number of a thread.
inline constexpr std::uint64_t kThreadObjects = std::uint64_t{1} << 63;
// Objects that all threads share. No address is as low.
inline constexpr std::uint64_t kClockObject = 1, kDeadlinesObject = 2, kFirstAddress = 4096;

// One operation for a reader who knows the program's symbols.
struct OperationRecord {
  OperationKind kind = OperationKind::kNone;
  std::uint64_t address = 0;  // of the object, or of the memory
  std::uint64_t other = 0;    // a second object: the mutex of a wait; the start routine of a new thread
  std::uint32_t size = 0;     // of the memory, in bytes
  std::uint64_t before = 0;   // the value of the memory, or the old value of an update
  std::uint64_t after = 0;
  std::int64_t result = 0;           // what the call returned
  std::uint32_t subject = ~0u;       // the actor that was made, joined or woken
  std::string text = {};             // that the program has named
  bool is_early = false;             // went on because time passed, where somebody else could have gone on
  std::vector<std::uint64_t> stack;  // program counters, innermost first
};

// A block of the heap as the same in every execution: the how-many-th that was allocated by these calls, from
// 1.
struct HeapVariable {
  std::vector<std::uint64_t> stack = {};  // program counters, innermost first
  std::uint64_t calls = 0;                // a hash of them
  std::uint32_t ordinal = 0;
  std::uint64_t size = 0;
};

// A place on a thread's stack: the call that it belongs to. Its function and the addresses of the call's own
// memory name the variable.
struct StackPlace {
  std::uint64_t pc = 0;             // in the function that was called; 0: not known
  std::uint64_t low = 0, high = 0;  // the stack pointer there, and the one before the call
  std::uint32_t actor = 0;          // owner of the stack
};

// What a place in memory is, as far as only the program's process knows.
struct HeapPlace {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t allocated_at = 0;  // a program counter; 0: not in a heap block
  HeapVariable block = {};         // if blocks are named
  StackPlace on_stack = {};        // while executions are recorded
};

// Where a word, or an object of synchronisation, is in a block that has a name.
struct BlockPlace {
  HeapVariable block;
  std::uint64_t offset = 0;
};

// How often one word, or one object of synchronisation, was accessed.
struct VariableAccesses {
  std::uint32_t block = 0;  // number of the heap's block, from 1; 0: it is none of the heap
  std::uint64_t place = 0;  // in the block, or its address
  std::uint64_t pc = 0;     // of the first access
  std::uint64_t reads = 0, writes = 0;
  std::vector<std::uint32_t> actors = {};  // actors that have accessed it
};

// What went wrong, with program counters and addresses still unresolved.
struct RawBug {
  std::string kind = {};
  // $P<hex>,...; stands for the place of a stack in the source, $F<hex>; for the function there,
  std::string message = {};
  // $S<hex>,...; for all of a stack, $A<hex>; for an address, $T<number>; for an actor
  std::string file = {};  // if the program named the place itself
  std::uint32_t line = 0;
  std::uint32_t actor = ~0u;
  std::vector<std::uint64_t> stack = {};
  std::vector<std::string> details = {};
  std::uint64_t watched = 0;  // a word of which a record should tell more, see Configuration
};

// The execution that showed something.
struct Occurrence {
  std::vector<Transition> schedule = {};
  std::vector<std::uint64_t> tracked = {};
};

// Two accesses to the same memory that nothing orders.
struct RaceReport {
  std::uint64_t address = 0;
  std::uint64_t pc[2] = {0, 0};
  std::vector<std::uint64_t> stack[2] = {};  // more than a program counter each if the word was watched
  std::uint32_t actor[2] = {0, 0};
  bool write[2] = {false, false};
  StackPlace on_stack = {};  // while executions are recorded
  Occurrence seen = {};
};

// An atomic operation that asks for less than sequential consistency, where that could make a difference.
struct WeakOrder {
  std::uint64_t pc = 0;
};

// A wait with a time-out, or a sleep, during which others went on: by the clock alone it could have been over
// before.
struct TimedWait {
  std::vector<std::uint64_t> stack = {};  // program counters, innermost first
};

// A thread that had not ended when the program did.
struct LeftThread {
  std::uint32_t actor = 0;
  std::vector<std::uint64_t> created = {};  // if executions are recorded
  Occurrence seen = {};
};

}  // namespace ravel::threads
