#include "states/pair_table.h"

#include "base/check.h"
#include "base/hash.h"

namespace ravel {

PairTable::Insertion PairTable::insert(std::uint32_t left, std::uint32_t right) {
  if ((size_ + 1) * 4 > slots_.size() * 3) grow();
  const std::uint64_t wanted = std::uint64_t{left} << 32 | right;
  const std::size_t mask = slots_.size() - 1;
  const std::uint64_t hash = mix(wanted);
  const auto tag = static_cast<std::uint8_t>(hash >> 56);
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot slot = slots_[at];
    if (slot.number_after == 0) {
      CHECK(size_ < kSizeMax);
      if (size_ >> kChunkBits == chunks_.size())
        chunks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(kChunk));
      chunks_[size_ >> kChunkBits][size_ & (kChunk - 1)] = wanted;
      slots_[at] = {.number_after = static_cast<Number>(++size_), .tag = tag};
      return {.number = static_cast<Number>(size_ - 1), .is_new = true};
    }
    if (slot.tag == tag && pair(slot.number_after - 1) == wanted)
      return {.number = slot.number_after - 1, .is_new = false};
  }
}

void PairTable::grow() {
  const std::size_t slots = slots_.empty() ? kSlotsMin : slots_.size() * 2;
  slots_ = {};  // before the new ones are there, so that both never are
  slots_.resize(slots);
  for (std::size_t number = 0; number < size_; ++number) {
    const std::uint64_t hash = mix(pair(static_cast<Number>(number)));
    std::size_t at = hash & (slots - 1);
    while (slots_[at].number_after != 0) at = (at + 1) & (slots - 1);
    slots_[at] = {.number_after = static_cast<Number>(number + 1),
                  .tag = static_cast<std::uint8_t>(hash >> 56)};
  }
}

}  // namespace ravel
