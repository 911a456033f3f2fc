// Hash tables of numbers of 64 bits, which only grow: one that gives each an index, and a plain set.

#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ravel {

class NumberMap {
 public:
  NumberMap() : slots_(std::size_t{1} << kFirstBits) {}

  // The index of `number`; `index_if_new`, which it then keeps, if it is met for the first time.
  std::uint32_t find_or_add(std::uint64_t number, std::uint32_t index_if_new) {
    const std::size_t place = place_of(number);
    if (slots_[place].index != kFree) return slots_[place].index;
    slots_[place] = {.number = number, .index = index_if_new};
    if (++size_ * 2 > slots_.size()) grow();
    return index_if_new;
  }

  std::optional<std::uint32_t> find(std::uint64_t number) const {
    const Slot& slot = slots_[place_of(number)];
    return slot.index == kFree ? std::nullopt : std::optional(slot.index);
  }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  static constexpr unsigned kFirstBits = 6;
  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t index = kFree;
  };

  // Numbers differ in few bits, which a product spreads over its upper ones (Knuth's multiplicative hashing).
  std::size_t place_of(std::uint64_t number) const {
    const Slot* const slots = slots_.data();
    const std::size_t last = slots_.size() - 1;
    std::size_t place = number * 0x9e3779b97f4a7c15 >> shift_;
    while (slots[place].index != kFree && slots[place].number != number) place = (place + 1) & last;
    return place;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    --shift_;
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.index != kFree) slots_[place_of(slot.number)] = slot;
  }

  std::vector<Slot> slots_;  // a power of two
  unsigned shift_ = 64 - kFirstBits;
  std::size_t size_ = 0;
};

// 8 bytes a slot, of which up to three quarters are taken. REQUIRES: numbers that are spread over all 64
// bits, as hashes are.
class NumberSet {
 public:
  NumberSet() : slots_(std::size_t{1} << kFirstBits) {}

  // Whether the number is new.
  bool insert(std::uint64_t number) {
    if (number == kFree) return !std::exchange(has_free_, true);
    std::uint64_t& slot = slots_[place_of(number)];
    if (slot == number) return false;
    slot = number;
    if (++taken_ * 4 > slots_.size() * 3) grow();
    return true;
  }
  std::size_t size() const { return taken_ + (has_free_ ? 1 : 0); }
  template <class Visit>
  void for_each(Visit visit) const {
    if (has_free_) visit(kFree);
    for (const std::uint64_t number : slots_)
      if (number != kFree) visit(number);
  }

 private:
  static constexpr std::uint64_t kFree = 0;
  static constexpr unsigned kFirstBits = 6;

  std::size_t place_of(std::uint64_t number) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t place = number & last;
    while (slots_[place] != kFree && slots_[place] != number) place = (place + 1) & last;
    return place;
  }
  void grow() {
    std::vector<std::uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    for (const std::uint64_t number : old)
      if (number != kFree) slots_[place_of(number)] = number;
  }

  std::vector<std::uint64_t> slots_;  // a power of two
  std::size_t taken_ = 0;
  bool has_free_ = false;  // the number that stands for a free slot
};

}  // namespace ravel
