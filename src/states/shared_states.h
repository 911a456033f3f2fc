// The states that several processes have visited together, as hashes of 128 bits in memory that they share.
//
// The idea: a table with open addressing, of which nothing is ever taken out (A. Laarman, J. van de Pol, M.
// Weber, "Boosting Multi-Core Reachability Performance with Shared Hash Tables", 2010). Who is first to put
// the upper half of a hash into a free slot, by compare and swap, has the state and explores it; the lower
// half follows. So each state is explored once, and by one process.
//
// The table grows by half. Nobody is inside of it then: each process says when it goes in and out, and does
// not go in while another one moves the slots to a larger place. They stand there nearly in their order, so
// that moving them goes through memory once, and what was moved is given back on the way.
//
// Of a search with an order of its own (shared_strata.h) each state belongs to somebody: to the least rank
// that has come to it. A rank is 64 bits beside the slot, and is only ever lowered, by compare and swap; but
// who has a state may give it back.
//
// Hashes are of numbers that stand for names (of processes, atoms, ...). What is copied by fork() knows the
// same ones, and learns others by itself later, under numbers that may mean something else elsewhere. So from
// begin_sharing() on, a state that was come to after this process has learnt something is not inserted;
// whoever has the search lets another process do that (sharing/state_coordinator.h).
//
// A process that is killed may leave a slot half filled, or the table half moved: then it is of no use any
// more, and clear() is for that.
//
// Cost: 21 to 32 bytes a state, and half as much again for ranks; one cache line or two an insertion.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/wide_hash.h"
#include "engine/hashed_states.h"
#include "states/visited_hashes.h"

namespace ravel {

class SharedStates {
 public:
  // `processes`: how many may insert, those included that are copied from this one later. Ends the program
  // with a message if there is not that much address space. `slots`: at first (for tests).
  explicit SharedStates(std::size_t processes, std::size_t slots = kFirstSlots);
  ~SharedStates();
  SharedStates(const SharedStates&) = delete;
  SharedStates& operator=(const SharedStates&) = delete;

  // Which of the processes this one is, from 0; the first one is until it says so. REQUIRES: no other one
  // that is alive is.
  void be_process(std::size_t number) { own_ = number; }

  // Whether it is new. REQUIRES: has_room().
  bool insert(Hash128 state);
  bool contains(Hash128 state);  // whether insert() would say that it is not new
  bool has_room() const;
  // What was inserted, or was to be, last.
  const Hash128& last() const { return last_; }
  // That what is inserted from now on is known to be there, and is new to this process: nothing is looked up.
  void repeat(bool repeats) { repeats_ = repeats; }
  // No other process has anything to do with it any more. REQUIRES: so it is.
  void clear();

  // ---- Ranks

  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};
  // REQUIRES: nothing was inserted yet, and no process copied from this one.
  void keep_ranks();
  // Who inserts from now on. A state is new to it if it belongs to nobody of a rank as small.
  void be_rank(std::uint64_t rank) { rank_ = rank; }
  // Whom the state that was inserted last belonged to before.
  std::uint64_t rank_before() const { return rank_before_; }
  // REQUIRES: it was inserted.
  std::uint64_t rank_of(Hash128 state);
  // It belongs to nobody any more, if it still belongs to this rank.
  void give_back(Hash128 state, std::uint64_t rank);
  // No rank beyond the limit is of any interest: of all that have been told, the least one counts.
  void lower_limit(std::uint64_t rank);
  void set_limit(std::uint64_t rank) { head_->limit = rank; }
  std::uint64_t limit() const { return head_->limit.load(std::memory_order_relaxed); }

  std::uint64_t size() const;
  // Of the table, if this process is the first one: it counts once.
  std::uint64_t bytes() const;
  std::uint64_t table_bytes() const;
  // Each pair of states has the same chance to have one hash.
  HashedStates told() const;

  // How much is known that hashes depend on, and that only grows: a number of things. To be set before the
  // processes part.
  void set_knowledge(std::function<std::size_t()> count) { count_knowledge_ = std::move(count); }
  std::size_t knowledge() const { return count_knowledge_ ? count_knowledge_() : 0; }
  // What is known now is known to all that are copied from this process from now on.
  void begin_sharing() { known_ = knowledge(), is_shared_ = true; }
  bool has_learnt() const { return is_shared_ && knowledge() != known_; }

 private:
  static constexpr std::size_t kFirstSlots = std::size_t{1} << 16;
  // Slots behind the last place. No more than three quarters of the places are taken, but for what each
  // process inserts between two looks: a chance of some e^-50 would need more.
  static constexpr std::size_t kOverhang = 8192;
  static constexpr std::size_t kInsertionsPerLook = 64;

  struct Slot {
    std::atomic<std::uint64_t> high, low;  // 0: nothing yet
  };
  // The other half, which is written after the first one.
  static std::uint64_t low_of(const Slot& slot);
  struct alignas(64) Process {
    std::atomic<std::uint64_t> inserted;
    std::atomic<std::uint32_t> is_inside;
  };
  struct Head {
    std::atomic<std::uint32_t> is_moving;
    std::atomic<std::uint32_t> area;  // which of the two the table is in
    std::atomic<std::uint64_t> capacity;
    std::atomic<std::uint64_t> limit;  // of ranks
  };

  // Zero stands for a free slot.
  static Hash128 kept(const Hash128& state) {
    return {.high = std::max<std::uint64_t>(state.high, 1), .low = std::max<std::uint64_t>(state.low, 1)};
  }
  Process& process(std::size_t number) const { return processes_[number]; }
  using Rank = std::atomic<std::uint64_t>;
  bool keeps_ranks() const { return ranks_[0] != nullptr; }
  Rank& rank_at(const Slot* slot) const {
    const std::uint32_t area = head_->area.load(std::memory_order_relaxed);
    return ranks_[area][slot - areas_[area]];
  }
  std::uint64_t take(const Slot* slot);
  const Slot* find(const Hash128& state) const;
  std::size_t bytes_of_slot() const { return sizeof(Slot) + (keeps_ranks() ? sizeof(Rank) : 0); }
  bool is_due_to_grow() const;
  static std::size_t larger(std::size_t capacity) { return capacity + capacity / 2; }
  void go_in();
  void go_out() { process(own_).is_inside.store(0, std::memory_order_release); }
  void grow_if_due();
  void move_to_larger();

  const std::size_t count_;  // of processes
  const std::size_t first_slots_;
  std::size_t own_ = 0;
  std::size_t room_ = 0;  // slots of an area
  Head* head_ = nullptr;  // shared, as all that follows
  Process* processes_ = nullptr;
  Slot* areas_[2] = {nullptr, nullptr};
  Rank* ranks_[2] = {nullptr, nullptr};  // of the slots, if they are kept
  Hash128 last_;
  std::uint64_t rank_ = 0, rank_before_ = kNobody;
  bool repeats_ = false, is_shared_ = false;
  std::function<std::size_t()> count_knowledge_;
  std::size_t known_ = 0;
};

// What a System inserts into.
class SharedHashes final : public VisitedHashes {
 public:
  explicit SharedHashes(SharedStates& states) : states_(states) {}

  bool insert(const Hash128& state) override { return states_.insert(state); }
  bool contains(const Hash128& state) const override { return states_.contains(state); }
  bool is_full() const override { return !states_.has_room(); }
  std::uint64_t bytes() const override { return states_.bytes(); }
  HashedStates told() const override { return states_.told(); }

 private:
  SharedStates& states_;
};

}  // namespace ravel
