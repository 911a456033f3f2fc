// The state of mutexes and everything else that threads synchronise by, found by address.
//
// The state does not live in the program's own objects: it would have to be put back there, and statically
// initialised ones hold none. What an initialising function says for good (the type of a mutex, the count of
// a barrier) does live there, as the C library would have it.

#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "threads/runtime/vector_clock.h"

namespace ravel::threads {

struct Thread;

enum class SyncKind : std::uint8_t {
  kUnknown,
  kMutex,
  kCondition,
  kReadWrite,
  kSpin,
  kBarrier,
  kSemaphore,
  kOnce,
  kFutex,
  kAtomic
};

struct SyncObject {
  std::uint64_t address = 0;
  SyncKind kind = SyncKind::kUnknown;
  Thread* owner = nullptr;       // of a mutex, a spin lock, the writer; who runs a once function
  std::uint32_t count = 0;       // how often the owner has locked; threads at a barrier; a semaphore's value
  std::uint32_t generation = 0;  // of a barrier
  bool is_done = false;          // of a once
  bool is_destroyed = false;
  std::uint64_t version = 0;                     // of what a mutex protects, see waiting_loop.h
  std::uint64_t locked_at = 0;                   // program counter
  std::vector<std::uint64_t> locked_stack = {};  // locked_at with its callers, while executions are recorded
  std::vector<Thread*> waiters;  // of a condition variable or a futex, in the order of their arrival
  std::vector<Thread*> readers;
  VectorClock clock;          // what an acquirer learns
  VectorClock readers_clock;  // what only a writer learns
};

class SyncObjects {
 public:
  // The object at this address, made if it is not there.
  SyncObject& at(std::uint64_t address, SyncKind kind) {
    Entry* entry = &entries_[hash(address) & mask_];
    while (entry->stamp == stamp_ && entry->address != address) {
      if (++entry == entries_.data() + entries_.size()) entry = entries_.data();
    }
    if (entry->stamp != stamp_) return add(*entry, address, kind);
    return *entry->object;
  }

  void begin_execution() {
    ++stamp_;
    used_ = 0;
    present_.clear();
  }
  // An object is the same one in all executions that have one at its address, so that its own address, which
  // threads leave on their stacks, follows from that: in other processes, too, unless two objects want the
  // same place.
  void set_lasting(bool are_lasting);
  // Those of this execution. REQUIRES: they are lasting.
  const std::vector<SyncObject*>& present() const { return present_; }
  // Those of this execution, lasting or not, in the order of their first use.
  std::vector<const SyncObject*> all() const;

 private:
  struct Entry {
    std::uint64_t address = 0;
    std::uint64_t stamp = 0;
    SyncObject* object = nullptr;
  };

  static std::uint64_t hash(std::uint64_t address) { return (address >> 2) * 0x9E3779B97F4A7C15 >> 20; }
  SyncObject& add(Entry& entry, std::uint64_t address, SyncKind kind);
  SyncObject& take(std::uint64_t address);
  static SyncObject* make_lasting(std::uint64_t address);
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(1 << 10);
  std::uint64_t mask_ = (1 << 10) - 1;
  std::uint64_t stamp_ = 1;
  std::vector<std::unique_ptr<SyncObject>> pool_;  // the first `used_` are of this execution
  std::size_t used_ = 0;
  bool are_lasting_ = false;
  std::unordered_map<std::uint64_t, SyncObject*> lasting_;  // by address; never deleted
  std::vector<SyncObject*> present_;
};

}  // namespace ravel::threads
