// Gives numbers of 64 bits an index each: a hash table that only grows.

#pragma once

#include <cstdint>
#include <optional>
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

}  // namespace ravel
