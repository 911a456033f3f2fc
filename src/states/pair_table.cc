#include "states/pair_table.h"

#include "base/check.h"
#include "base/hash.h"

namespace ravel {

PairTable::Insertion PairTable::insert(std::uint32_t left, std::uint32_t right) {
  if ((size_ + 1) * 4 > slots_.size() * 3) grow();
  const std::uint64_t wanted = std::uint64_t{left} << 32 | right;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = mix(wanted) & mask;; at = (at + 1) & mask) {
    if (slots_[at] == 0) {
      CHECK(size_ < kSizeMax);
      if (size_ >> kChunkBits == chunks_.size())
        chunks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(kChunk));
      chunks_[size_ >> kChunkBits][size_ & (kChunk - 1)] = wanted;
      slots_[at] = static_cast<Number>(++size_);
      return {.number = static_cast<Number>(size_ - 1), .is_new = true};
    }
    if (pair(slots_[at] - 1) == wanted) return {.number = slots_[at] - 1, .is_new = false};
  }
}

void PairTable::grow() {
  const std::size_t slots = slots_.empty() ? kSlotsMin : slots_.size() * 2;
  slots_ = {};  // before the new ones are there, so that both never are
  slots_.resize(slots, 0);
  for (std::size_t number = 0; number < size_; ++number) {
    std::size_t at = mix(pair(static_cast<Number>(number))) & (slots - 1);
    while (slots_[at] != 0) at = (at + 1) & (slots - 1);
    slots_[at] = static_cast<Number>(number + 1);
  }
}

}  // namespace ravel
