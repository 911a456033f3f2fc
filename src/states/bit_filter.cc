#include "states/bit_filter.h"

#include "base/check.h"

namespace ravel {

BitFilter::BitFilter(std::uint64_t bytes)
    : bits_(bytes * 8), words_(static_cast<std::uint64_t*>(std::calloc(bytes / 8, 8))) {
  CHECK(bytes > 0 && bytes % 8 == 0);
  CHECK_MESSAGE(words_ != nullptr, "there is not as much memory as --bitstate asks for");
}

std::uint64_t BitFilter::place_of(const Hash128& state, std::uint64_t which) const {
  return place_of_hash(state.high + which * (state.low | 1), bits_);
}

bool BitFilter::contains(const Hash128& state) const {
  for (std::uint64_t i = 0; i < kBitsPerState; ++i) {
    const std::uint64_t bit = place_of(state, i);
    if ((words_[bit / 64] >> bit % 64 & 1) == 0) return false;
  }
  return true;
}

bool BitFilter::insert(const Hash128& state) {
  const double share = static_cast<double>(set_) / static_cast<double>(bits_);
  const double missed = share * share * share;
  static_assert(kBitsPerState == 3);
  const std::uint64_t before = set_;
  for (std::uint64_t i = 0; i < kBitsPerState; ++i) {
    const std::uint64_t bit = place_of(state, i);
    std::uint64_t& word = words_[bit / 64];
    const std::uint64_t mask = std::uint64_t{1} << bit % 64;
    if ((word & mask) == 0) ++set_;
    word |= mask;
  }
  if (set_ == before) return false;
  omitted_ += missed / (1 - missed);
  return true;
}

}  // namespace ravel
