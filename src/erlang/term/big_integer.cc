#include "erlang/term/big_integer.h"

#include <gmp.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/check.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

static_assert(std::is_same_v<mp_limb_t, Word> && GMP_NUMB_BITS == 64, "limbs are passed to GMP as they are");

Magnitude::Magnitude(Term integer) {
  if (integer.is_small()) {
    const std::int64_t value = integer.small_value();
    is_negative_ = value < 0;
    small_limb_ = is_negative_ ? -static_cast<Word>(value) : static_cast<Word>(value);
    limbs_ = &small_limb_;
    size_ = value == 0 ? 0 : 1;
    return;
  }
  const Term* object = integer.object();
  is_negative_ = kind_of(object[0]) == Kind::kNegativeBig;
  limbs_ = reinterpret_cast<const Word*>(object + 1);
  size_ = size_of(object[0]);
}

int compare_magnitudes(const Magnitude& a, const Magnitude& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  if (a.is_zero()) return 0;
  const int order = mpn_cmp(a.limbs(), b.limbs(), static_cast<mp_size_t>(a.size()));
  return order < 0 ? -1 : order > 0;
}

Term BigBuilder::finish(std::size_t used, bool is_negative) {
  const Word* digits = limbs();
  while (used > 0 && digits[used - 1] == 0) --used;
  constexpr Word kLargest = static_cast<Word>(kSmallMax);
  if (used == 0 || (used == 1 && digits[0] <= kLargest + (is_negative ? 1 : 0))) {
    const Word magnitude = used == 0 ? 0 : digits[0];
    abandon();
    return Term::small(static_cast<std::int64_t>(is_negative ? -magnitude : magnitude));
  }
  object_[0] = make_header(is_negative ? Kind::kNegativeBig : Kind::kPositiveBig, used);
  heap_.set_top(object_ + 1 + used);
  return Term::boxed(object_);
}

Term make_integer(Heap& heap, std::span<const Word> limbs, bool is_negative) {
  BigBuilder result(heap, limbs.size());
  if (!limbs.empty()) std::memcpy(result.limbs(), limbs.data(), limbs.size_bytes());
  return result.finish(limbs.size(), is_negative);
}

Term integer_from_double(Heap& heap, double truncated) {
  CHECK(std::isfinite(truncated));
  const bool is_negative = truncated < 0;
  int exponent = 0;
  // Fraction * 2^exponent, 1/2 <= fraction < 1
  const double fraction = std::frexp(std::fabs(truncated), &exponent);
  if (exponent <= 62) return heap.integer(static_cast<std::int64_t>(truncated));
  const Word mantissa = static_cast<Word>(std::ldexp(fraction, 53));
  const std::size_t shift = static_cast<std::size_t>(exponent - 53);  // at least 10, so no bit is lost
  const std::size_t size = shift / 64 + 2;
  BigBuilder result(heap, size);
  Word* limbs = result.limbs();
  std::memset(limbs, 0, size * sizeof(Word));
  const unsigned bits = shift % 64;
  limbs[shift / 64] = mantissa << bits;
  limbs[shift / 64 + 1] = bits == 0 ? 0 : mantissa >> (64 - bits);
  return result.finish(size, is_negative);
}

std::optional<std::int64_t> to_int64(Term t) {
  if (t.is_small()) return t.small_value();
  if (!is_big(t)) return std::nullopt;
  const Magnitude magnitude(t);
  constexpr Word kLargest = static_cast<Word>(INT64_MAX);
  if (magnitude.size() != 1) return std::nullopt;
  const Word limb = magnitude.limbs()[0];
  if (limb > kLargest + (magnitude.is_negative() ? 1 : 0)) return std::nullopt;
  return static_cast<std::int64_t>(magnitude.is_negative() ? -limb : limb);
}

std::optional<std::uint64_t> to_uint64(Term t) {
  if (t.is_small()) {
    if (t.small_value() < 0) return std::nullopt;
    return static_cast<std::uint64_t>(t.small_value());
  }
  if (!is_kind(t, Kind::kPositiveBig) || size_of(t.header()) != 1) return std::nullopt;
  return t.object()[1].bits();
}

namespace {

// The nearest float, ties to even; infinite if it is too large.
double nearest_double(const Magnitude& magnitude) {
  const std::span<const Word> limbs(magnitude.limbs(), magnitude.size());
  const int zeros = std::countl_zero(limbs.back());
  // The highest 64 bits, of which a float keeps 53. If there is a bit below them, the lowest of them says so:
  // it is no tie then.
  Word top = limbs.back() << zeros;
  bool is_more_below = false;
  if (limbs.size() > 1) {
    const Word second = limbs[limbs.size() - 2];
    if (zeros > 0) top |= second >> (64 - zeros);
    is_more_below = second << zeros != 0;
    for (const Word limb : limbs.first(limbs.size() - 2)) is_more_below |= limb != 0;
  }
  top |= is_more_below ? 1 : 0;
  const int shift = static_cast<int>(limbs.size()) * 64 - 64 - zeros;
  return std::ldexp(static_cast<double>(top), shift);
}

// Each limb rounds what is there so far.
double double_limb_by_limb(const Magnitude& magnitude) {
  double value = 0.0;
  for (std::size_t i = magnitude.size(); i-- > 0 && std::isfinite(value);)
    value = value * 0x1p64 + static_cast<double>(magnitude.limbs()[i]);
  return value;
}

}  // namespace

std::optional<double> to_double(Term t) {
  if (t.is_small()) return static_cast<double>(t.small_value());
  if (is_float(t)) return float_value(t);
  if (!is_big(t)) return std::nullopt;
  const Magnitude magnitude(t);
  const double value =
      installed_release().rounds_to_nearest ? nearest_double(magnitude) : double_limb_by_limb(magnitude);
  if (!std::isfinite(value)) return std::nullopt;
  return magnitude.is_negative() ? -value : value;
}

}  // namespace ravel::erlang
