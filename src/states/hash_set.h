// A set of hashes that grows by a quarter at a time and in place, so that it never has much room to spare:
// hash compaction of states (U. Stern and D. L. Dill, "Improved Probabilistic Verification by Hash
// Compaction", 1995).
//
// The idea: the hashes stand in ascending order, each at the place that its value stands for or behind it
// (linear probing). So a search for one that is missing ends at the first larger one; and the set grows by
// moving all to the end of the larger room, in their order, and each from there to its new place, which
// cannot be behind the old one.
//
// Invariants:
//  1. Hashes are in ascending order, with free slots (zero) between some.
//  2. No slot is free between the place that a hash stands for and where it is.
//
// Cost: 9.5 to 12 bytes for a hash of 64 bits, and twice that for one of 128; growing needs no further room.
// Mostly one cache line an insertion. There is no place for the hash 0, which is taken for 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/reserve.h"
#include "base/wide_hash.h"
#include "states/visited_hashes.h"

namespace ravel {

// Hash: std::uint64_t or Hash128.
template <class Hash>
class HashSet {
 public:
  HashSet() {
    const Reserved got = reserve(kReservedBytes);
    slots_ = static_cast<Hash*>(got.address);
    room_ = got.bytes / sizeof(Hash);
  }
  ~HashSet() { release(slots_, kReservedBytes); }
  HashSet(const HashSet&) = delete;
  HashSet& operator=(const HashSet&) = delete;

  // Whether it is new. REQUIRES: !is_full().
  bool insert(Hash hash) {
    hash = kept(hash);
    if (size_ == size_max(capacity_)) grow();
    Hash* const at = first_not_below(hash);
    if (*at == hash) return false;
    Hash* free = at;
    while (*free != Hash{}) ++free;
    CHECK(free + 1 < slots_ + capacity_ + kOverhang);
    std::move_backward(at, free, free + 1);
    *at = hash;
    ++size_;
    return true;
  }

  bool contains(Hash hash) const {
    hash = kept(hash);
    return *first_not_below(hash) == hash;
  }

  std::size_t size() const { return size_; }
  bool is_full() const { return size_ == size_max(capacity_) && larger() + kOverhang > room_; }
  std::size_t bytes() const { return capacity_ * sizeof(Hash); }

 private:
  // For more states than have a number.
  static constexpr std::size_t kReservedBytes = (std::size_t{8} << 30) * sizeof(Hash);
  // Slots behind the last place, for hashes that stand behind theirs. A chance of some e^-50 would need more,
  // since no more than 85 % of the places are taken.
  static constexpr std::size_t kOverhang = 4096;
  static constexpr std::size_t size_max(std::size_t capacity) { return capacity / 20 * 17; }

  static Hash kept(const Hash& hash) {
    if (hash != Hash{}) return hash;
    Hash one{};
    if constexpr (sizeof(Hash) == sizeof(std::uint64_t))
      one = 1;
    else
      one.low = 1;
    return one;
  }
  std::size_t place_of(const Hash& hash) const {
    if constexpr (sizeof(Hash) == sizeof(std::uint64_t))
      return place_of_hash(hash, capacity_);
    else
      return place_of_hash(hash.high, capacity_);
  }
  // Where it is, or would be: a slot that is free or has a larger one.
  Hash* first_not_below(const Hash& hash) const {
    Hash* at = slots_ + place_of(hash);
    while (*at < hash && *at != Hash{}) ++at;
    return at;
  }
  std::size_t larger() const { return capacity_ + capacity_ / 4; }

  void grow() {
    CHECK(!is_full());
    Hash* const end = slots_ + larger() + kOverhang;
    Hash* first = end;
    for (Hash* slot = slots_ + capacity_ + kOverhang; slot-- > slots_;) {
      if (*slot == Hash{}) continue;
      const Hash hash = *slot;
      *slot = Hash{};
      *--first = hash;
    }
    capacity_ = larger();
    Hash* free = slots_;
    for (; first < end; ++first) {
      const Hash hash = *first;
      *first = Hash{};
      free = std::max(free, slots_ + place_of(hash));
      CHECK(free <= first);
      *free++ = hash;
    }
  }

  Hash* slots_;
  std::size_t room_;  // slots that were reserved
  std::size_t capacity_ = 4'000;
  std::size_t size_ = 0;
};

template <class Hash>
class VisitedHashesOf final : public VisitedHashes {
 public:
  bool insert(const Hash128& state) override {
    if constexpr (sizeof(Hash) == sizeof(std::uint64_t))
      return set_.insert(state.high);
    else
      return set_.insert(state);
  }
  bool contains(const Hash128& state) const override {
    if constexpr (sizeof(Hash) == sizeof(std::uint64_t))
      return set_.contains(state.high);
    else
      return set_.contains(state);
  }
  bool is_full() const override { return set_.is_full(); }
  std::uint64_t bytes() const override { return set_.bytes(); }
  // Each pair of states has the same chance to have one hash.
  HashedStates told() const override {
    constexpr int kBits = 8 * sizeof(Hash);
    const auto states = static_cast<double>(set_.size());
    return {.hash_bits = kBits, .filter_bits = 0, .omitted = std::ldexp(states * states, -(kBits + 1))};
  }

 private:
  HashSet<Hash> set_;
};

}  // namespace ravel
