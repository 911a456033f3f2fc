// Integers as limbs: how the arithmetic reads any integer and builds a big one.
//
// The idea: `Magnitude` shows an integer, small or big, as sign and limbs without allocating, so the slow
// paths have one case instead of three. `BigBuilder` takes room at the top of the nursery, lets an mpn
// function of GMP write into it, and `finish` gives back what was not needed: all of it when the result is
// small.
//
// Invariant: a big integer has no leading zero limb and does not fit a small one (term.h, invariant 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "erlang/term/header.h"
#include "erlang/term/heap.h"
#include "erlang/term/release.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// The emulator refuses larger integers with system_limit.
inline std::size_t limbs_max() { return installed_release().integer_limbs_max; }

// Sign and limbs of an integer. Zero has no limbs. Not copyable: a small integer's limb lives inside.
class Magnitude {
 public:
  // REQUIRES: is_integer(integer).
  explicit Magnitude(Term integer);
  Magnitude(const Magnitude&) = delete;
  Magnitude& operator=(const Magnitude&) = delete;

  const Word* limbs() const { return limbs_; }
  std::size_t size() const { return size_; }
  bool is_negative() const { return is_negative_; }
  bool is_zero() const { return size_ == 0; }

 private:
  Word small_limb_;
  const Word* limbs_;
  std::size_t size_;
  bool is_negative_;
};

// -1, 0 or 1: the order of the absolute values.
int compare_magnitudes(const Magnitude& a, const Magnitude& b);

// Room for a big integer that is being computed. REQUIRES: nothing else is allocated before `finish`.
class BigBuilder {
 public:
  BigBuilder(Heap& heap, std::size_t limbs) : heap_(heap), object_(heap.allocate(limbs + 1)) {}

  Word* limbs() { return reinterpret_cast<Word*>(object_ + 1); }
  // The integer whose magnitude is the first `used` limbs; leading zero limbs may be among them.
  Term finish(std::size_t used, bool is_negative);
  // Gives all room back.
  void abandon() { heap_.set_top(object_); }

 private:
  Heap& heap_;
  Term* object_;
};

// The integer with this sign and magnitude, least significant limb first; leading zeros are allowed.
Term make_integer(Heap& heap, std::span<const Word> limbs, bool is_negative);
// A float without fraction as an integer. REQUIRES: finite.
Term integer_from_double(Heap& heap, double truncated);

// The value, if the integer fits; nothing if it does not or is no integer.
std::optional<std::int64_t> to_int64(Term t);
std::optional<std::uint64_t> to_uint64(Term t);
// A number as a float; nothing if it is too large or no number. A big integer is rounded as the emulator of
// the release does it: to the nearest float or, in older ones, limb by limb, which is not always the nearest.
std::optional<double> to_double(Term t);

}  // namespace ravel::erlang
