// A Bloom filter of states: each sets three bits, and one whose bits are all set is taken for an old one
// (bitstate hashing: G. J. Holzmann, "An Analysis of Bitstate Hashing", 1998; from one hash of 128 bits: P.
// C. Dillinger and P. Manolios, "Fast and Accurate Bitstate Verification for SPIN", 2004).
//
// How many states were left out is estimated on the way: when a share s of the bits is set, a new state is
// taken for an old one with a chance of s^3. So for each that was not, s^3 / (1 - s^3) were. States that only
// those lead to are not in this number.
//
// Cost: the memory that it is given, and three cache lines an insertion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "states/visited_hashes.h"

namespace ravel {

class BitFilter final : public VisitedHashes {
 public:
  // Ends the program with a message if there is not that much memory.
  explicit BitFilter(std::uint64_t bytes);

  bool insert(const Hash128& state) override;
  bool contains(const Hash128& state) const override;
  bool is_full() const override { return false; }
  std::uint64_t bytes() const override { return bits_ / 8; }
  HashedStates told() const override { return {.hash_bits = 0, .filter_bits = bits_, .omitted = omitted_}; }

 private:
  // As SPIN has it. More leave out fewer states as long as the filter is nearly empty, and more when it
  // fills; how many states there will be is not known.
  static constexpr std::uint64_t kBitsPerState = 3;
  // One of its bits.
  std::uint64_t place_of(const Hash128& state, std::uint64_t which) const;
  struct Free {
    void operator()(std::uint64_t* words) const { std::free(words); }
  };

  std::uint64_t bits_;
  std::unique_ptr<std::uint64_t[], Free> words_;  // which become memory when they are touched
  std::uint64_t set_ = 0;                         // how many bits are
  double omitted_ = 0;
};

}  // namespace ravel
