// A hash of a sequence of words, of which few are others than in the sequence before.
//
// The idea: each place with what stands there has a hash, and that of the sequence is their sum, so that it
// costs what has changed (M. Bellare, D. Micciancio, "A New Paradigm for Collision-Free Hashing:
// Incrementality at Reduced Cost", 1997). Where the hashes of places are as good as drawn, two sequences
// agree with a chance of 2^-128, as with a hash that goes through them. Not for secrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/wide_hash.h"

namespace ravel {

class SummedHash {
 public:
  // What a place adds if this stands there.
  static constexpr Hash128 at(std::size_t place, const Hash128& word) {
    WideHash hash(place);
    hash.add(word);
    return hash.finish();
  }

  std::size_t size() const { return added_.size(); }
  // A sequence of so many words, of which none is known yet. How many there are makes a difference, too.
  void begin(std::size_t words) {
    added_.assign(words, Hash128{});
    sum_ = at(~std::size_t{0}, {.high = words, .low = 0});
  }
  void set(std::size_t place, const Hash128& word) {
    const Hash128 now = at(place, word);
    sum_ += now;
    sum_ -= added_[place];
    added_[place] = now;
  }
  // When all are known: of the sequence.
  const Hash128& sum() const { return sum_; }
  // What a place adds to that.
  const Hash128& added(std::size_t place) const { return added_[place]; }

 private:
  Hash128 sum_;
  std::vector<Hash128> added_;  // by place
};

}  // namespace ravel
