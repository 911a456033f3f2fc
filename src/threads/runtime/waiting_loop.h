// Threads that wait in a loop: `while (!flag.load()) {}`, spin locks, the same with yields.
//
// The idea: an iteration of a loop is pure if between two arrivals at the same operation the thread has only
// looked, and its registers and its stack are as they were. An execution without a pure iteration is another
// execution of the program, with the same states except for that; so nothing is lost if a thread that has
// been through one waits until a value that it has read there is another one. That is a condition on memory,
// as it is for one who waits for a lock, and reduction needs no fairness for it.
//
// To try a lock or a semaphore in vain is to look, too: whether it can be had is the value.
//
// To lock a mutex (a spin lock, a read-write lock), to look and to unlock it is to look, too, as long as
// nobody tries it and so sees that it is held. The iteration may have read what the mutex protects, and in
// code that is not instrumented. But another thread that changes that does so after the thread's unlocking
// and before it locks again, or there is a race; so somebody unlocks the mutex meanwhile who tells it what it
// did not know. How often that has happened is the mutex's value (SyncObject::version). An iteration of a
// thread that waits itself tells nothing after its first one, so that two threads do not wake each other for
// ever.
//
// Between unlocking and locking others may look at its stack, too. So what an iteration overwrites there
// matters if another thread accesses these words at any time (TwoSides): a `unique_lock` is its thread's
// alone, as a rule.
//
// What else the iteration reads, by plain accesses without a race, nobody can change meanwhile: a thread that
// only looks releases nothing, so the change would race. What code that is not compiled by the wrapper keeps
// for itself is not seen; allocating, printing and the library's state (library_use.h) are taken for effects.
//
// Finding out the state costs more than the operation: the calling frame has to be unwound for its registers.
// So it is done only at operations that are known to be heads of loops (LoopHeads).

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "threads/protocol/operation.h"

namespace ravel::threads {

struct SyncObject;

struct WaitingLoop {
  struct Read {
    std::uint64_t address = 0, value = 0;
    std::uint32_t size = 0;  // 0: it has tried `object`, by `kind`, and failed, or locked it
    OperationKind kind = OperationKind::kNone;
    const SyncObject* object = nullptr;
  };
  // An operation that the thread has come to since it had an effect.
  struct Arrival {
    std::uint64_t pc = 0;
    std::optional<std::uint64_t> state;  // a hash of its registers and its stack; none if it is not known
    std::size_t reads = 0;               // how many came before
    std::uint32_t locks = 0;             // how often it had locked the mutex
    std::uint32_t holds = 0;             // how often it had the mutex

    bool is_same_place(const Arrival& other) const {
      return pc == other.pc && state && state == other.state && holds == other.holds;
    }
  };

  std::vector<Arrival> arrivals;
  std::vector<Read> reads;
  std::size_t first_read = 0;  // of the iteration
  std::uint64_t state = 0;     // in which it began
  bool sleeps = false;
  bool waits = false;       // until one of them has another value
  bool has_waited = false;  // before the operation that is granted

  // The one mutex that it has locked since it had an effect.
  SyncObject* mutex = nullptr;
  bool holds = false;
  std::uint32_t locks = 0;
  // Words that it has overwritten since it has locked the mutex for the first time
  std::vector<std::uint64_t> stack_words;
  bool locks_in_iteration = false;
  SyncObject* unlocked = nullptr;  // since it has come to its last operation
  bool has_told = false;           // has unlocked the mutex before, since it had an effect
  bool tells_news = false;         // tells now what the mutex did not know
  std::vector<Arrival> cycle;      // of the last pure iteration

  void clear() {
    forget_iteration();
    sleeps = waits = has_waited = locks_in_iteration = false;
    mutex = unlocked = nullptr;
    holds = has_told = false;
    locks = 0;
    stack_words.clear();
    cycle.clear();
  }
  void forget_iteration() {
    arrivals.clear();
    reads.clear();
    first_read = 0;
  }
};

// Words that may be noted on one side or on the other; whether one is on both.
class TwoSides {
 public:
  enum class Side : std::uint8_t { kLoops, kOthers };
  void note(Side side, std::uint64_t word) {
    const bool is_first = side == Side::kLoops;
    std::vector<std::uint64_t>& own = is_first ? loops_ : others_;
    const auto place = std::ranges::lower_bound(own, word);
    if (place != own.end() && *place == word) return;
    own.insert(place, word);
    meet_ = meet_ || std::ranges::binary_search(is_first ? others_ : loops_, word);
  }
  bool meet() const { return meet_; }
  const std::vector<std::uint64_t>& noted(Side side) const { return side == Side::kLoops ? loops_ : others_; }

 private:
  std::vector<std::uint64_t> loops_, others_;
  bool meet_ = false;
};

// The places in the code to which some thread has come twice and has only looked in between. An execution
// that meets a new one is run again from its beginning, with it among them: so every execution goes as if all
// places were known, and what was learnt in others makes no difference but in time.
class LoopHeads {
 public:
  bool contains(std::uint64_t pc) const {
    return !learns_ || (!pcs_.empty() && std::ranges::binary_search(pcs_, pc));
  }
  // REQUIRES: !contains(pc).
  void add(std::uint64_t pc) {
    pcs_.insert(std::ranges::lower_bound(pcs_, pc), pc);
    has_new_ = true;
  }
  const std::vector<std::uint64_t>& all() const { return pcs_; }
  // That were found before this process.
  void know(const std::vector<std::uint64_t>& pcs) {
    for (const std::uint64_t pc : pcs)
      if (!std::ranges::binary_search(pcs_, pc)) pcs_.insert(std::ranges::lower_bound(pcs_, pc), pc);
  }
  bool has_new() const { return has_new_; }
  bool take_new() { return std::exchange(has_new_, false); }
  // Without it all places are taken for known.
  void set_learning(bool learns) { learns_ = learns; }

 private:
  std::vector<std::uint64_t> pcs_;
  bool learns_ = false;
  bool has_new_ = false;
};

}  // namespace ravel::threads
