#include "erlang/term/arithmetic.h"

#include <gmp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace ravel::erlang {

namespace {

mp_size_t length(const Magnitude& m) { return static_cast<mp_size_t>(m.size()); }

// A result within the emulator's limit, else none.
Term finish_limited(BigBuilder& result, std::size_t used, bool is_negative) {
  const Word* limbs = result.limbs();
  while (used > 0 && limbs[used - 1] == 0) --used;
  if (used > limbs_max()) {
    result.abandon();
    return Term::none();
  }
  return result.finish(used, is_negative);
}

// a + b, where the sign of b may be given another way round for subtraction.
Term add_signed(Heap& heap, const Magnitude& a, const Magnitude& b, bool b_is_negative) {
  const Magnitude* large = &a;
  const Magnitude* little = &b;
  bool is_negative = a.is_negative();
  const int order = compare_magnitudes(a, b);
  if (order < 0) {
    std::swap(large, little);
    is_negative = b_is_negative;
  }
  if (large->is_zero()) return Term::small(0);
  BigBuilder result(heap, large->size() + 1);
  Word* limbs = result.limbs();
  if (little->is_zero()) {
    std::memcpy(limbs, large->limbs(), large->size() * sizeof(Word));
    return result.finish(large->size(), is_negative);
  }
  if (a.is_negative() == b_is_negative) {
    limbs[large->size()] = mpn_add(limbs, large->limbs(), length(*large), little->limbs(), length(*little));
    return finish_limited(result, large->size() + 1, is_negative);
  }
  mpn_sub(limbs, large->limbs(), length(*large), little->limbs(), length(*little));
  return result.finish(large->size(), is_negative);
}

Term finite(Heap& heap, double value) { return std::isfinite(value) ? heap.floating(value) : Term::none(); }

// Applies `operation` to both as floats; none if one is too large or no number, or the result is not finite.
template <typename Operation>
Term with_floats(Heap& heap, Term a, Term b, Operation operation) {
  const std::optional<double> left = to_double(a), right = to_double(b);
  if (!left || !right) return Term::none();
  return finite(heap, operation(*left, *right));
}

bool are_integers(Term a, Term b) { return is_integer(a) && is_integer(b); }

// The limbs of an integer in two's complement, one after the other and without end.
class TwosComplement {
 public:
  explicit TwosComplement(const Magnitude& magnitude)
      : magnitude_(magnitude), borrow_(magnitude.is_negative()) {}

  Word next() {
    const Word limb = index_ < magnitude_.size() ? magnitude_.limbs()[index_] : 0;
    ++index_;
    if (!magnitude_.is_negative()) return limb;
    const Word result = ~(limb - borrow_);  // -x is ~(x - 1)
    borrow_ = limb == 0 ? borrow_ : 0;
    return result;
  }

 private:
  const Magnitude& magnitude_;
  std::size_t index_ = 0;
  Word borrow_;
};

template <typename Operation>
Term bitwise(Heap& heap, Term a, Term b, Operation operation) {
  if (!are_integers(a, b)) return Term::none();
  const Magnitude left(a), right(b);
  const Word sign = operation(left.is_negative() ? ~Word{0} : 0, right.is_negative() ? ~Word{0} : 0);
  const bool is_negative = sign != 0;
  const std::size_t size = std::max(left.size(), right.size()) + 1;  // a limb more: -2^64 needs two
  BigBuilder result(heap, size);
  Word* limbs = result.limbs();
  TwosComplement left_limbs(left), right_limbs(right);
  Word carry = 1;
  for (std::size_t i = 0; i < size; ++i) {
    const Word limb = operation(left_limbs.next(), right_limbs.next());
    if (is_negative) {
      limbs[i] = ~limb + carry;
      carry = carry != 0 && limbs[i] == 0 ? 1 : 0;
    } else {
      limbs[i] = limb;
    }
  }
  return finish_limited(result, size, is_negative);
}

Term shift_magnitude_left(Heap& heap, const Magnitude& a, Word distance) {
  const Word whole = distance / 64;
  const unsigned bits = distance % 64;
  if (whole > limbs_max()) return Term::none();
  const std::size_t size = a.size() + whole + 1;
  if (size > limbs_max() + 1) return Term::none();
  BigBuilder result(heap, size);
  Word* limbs = result.limbs();
  std::memset(limbs, 0, whole * sizeof(Word));
  limbs[size - 1] = 0;
  if (bits == 0)
    std::memcpy(limbs + whole, a.limbs(), a.size() * sizeof(Word));
  else
    limbs[size - 1] = mpn_lshift(limbs + whole, a.limbs(), length(a), bits);
  return finish_limited(result, size, a.is_negative());
}

// Rounds towards minus infinity, as a shift in two's complement does.
Term shift_magnitude_right(Heap& heap, const Magnitude& a, Word distance) {
  const Word whole = distance / 64;
  const unsigned bits = distance % 64;
  if (whole >= a.size()) return Term::small(a.is_negative() ? -1 : 0);
  const std::size_t size = a.size() - whole;
  BigBuilder result(heap, size + 1);
  Word* limbs = result.limbs();
  Word lost = 0;
  if (bits == 0)
    std::memcpy(limbs, a.limbs() + whole, size * sizeof(Word));
  else
    lost = mpn_rshift(limbs, a.limbs() + whole, static_cast<mp_size_t>(size), bits);
  limbs[size] = 0;
  if (a.is_negative()) {
    for (std::size_t i = 0; i < whole && lost == 0; ++i) lost = a.limbs()[i];
    if (lost != 0) limbs[size] = mpn_add_1(limbs, limbs, static_cast<mp_size_t>(size), 1);
  }
  return result.finish(size + 1, a.is_negative());
}

enum class Direction : std::uint8_t { kLeft, kRight };

Term shift(Heap& heap, Term a, Term b, Direction direction) {
  if (!are_integers(a, b)) return Term::none();
  const Magnitude value(a), distance(b);
  if (value.is_zero() || distance.is_zero()) return a;
  const bool is_left = (direction == Direction::kLeft) != distance.is_negative();
  const Word bits = distance.size() == 1 ? distance.limbs()[0] : ~Word{0};  // more is no different
  return is_left ? shift_magnitude_left(heap, value, bits) : shift_magnitude_right(heap, value, bits);
}

int compare_integers(const Magnitude& a, const Magnitude& b) {
  if (a.is_negative() != b.is_negative()) return a.is_negative() ? -1 : 1;
  const int order = compare_magnitudes(a, b);
  return a.is_negative() ? -order : order;
}

// Bits needed for the absolute value.
std::size_t bit_length(const Magnitude& a) {
  return a.is_zero() ? 0 : a.size() * 64 - static_cast<std::size_t>(__builtin_clzll(a.limbs()[a.size() - 1]));
}

// Compares |integer| with a float above zero, exactly.
int compare_with_double(const Magnitude& integer, double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // 2^(exponent-1) <= value < 2^exponent
  const std::size_t bits = bit_length(integer);
  const std::size_t value_bits = exponent > 0 ? static_cast<std::size_t>(exponent) : 0;
  if (bits != value_bits) return bits < value_bits ? -1 : 1;
  if (bits == 0) return -1;  // 0 and a value below 1
  // Equal leading bits: compare the 64 bits from there on, then what is after.
  const std::size_t top = integer.size() - 1;
  const unsigned spare = static_cast<unsigned>(integer.size() * 64 - bits);
  Word leading = integer.limbs()[top] << spare;
  if (spare != 0 && top > 0) leading |= integer.limbs()[top - 1] >> (64 - spare);
  const Word mantissa = static_cast<Word>(std::ldexp(fraction, 64));
  if (leading != mantissa) return leading < mantissa ? -1 : 1;
  // The float has no bits after its 53; the bits of it below the units are among the leading 64 only if
  // the integer has fewer than 64, and then `leading` is zero there.
  if (top == 0) return 0;
  if (spare == 0 ? integer.limbs()[top - 1] != 0 : integer.limbs()[top - 1] << spare != 0) return 1;
  for (std::size_t i = 0; i + 1 < top; ++i)
    if (integer.limbs()[i] != 0) return 1;
  return 0;
}

int compare_integer_with_float(Term integer, double value) {
  const Magnitude magnitude(integer);
  const int sign = magnitude.is_zero() ? 0 : magnitude.is_negative() ? -1 : 1;
  const int value_sign = value == 0 ? 0 : value < 0 ? -1 : 1;
  if (sign != value_sign) return sign < value_sign ? -1 : 1;
  if (sign == 0) return 0;
  return sign * compare_with_double(magnitude, std::fabs(value));
}

}  // namespace

namespace slow {

Term add(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b)) return heap.integer(a.small_value() + b.small_value());
  if (is_float(a) && is_float(b)) return finite(heap, float_value(a) + float_value(b));
  if (!are_integers(a, b)) return with_floats(heap, a, b, [](double x, double y) { return x + y; });
  const Magnitude left(a), right(b);
  return add_signed(heap, left, right, right.is_negative());
}

Term subtract(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b)) return heap.integer(a.small_value() - b.small_value());
  if (is_float(a) && is_float(b)) return finite(heap, float_value(a) - float_value(b));
  if (!are_integers(a, b)) return with_floats(heap, a, b, [](double x, double y) { return x - y; });
  const Magnitude left(a), right(b);
  return add_signed(heap, left, right, !right.is_negative());
}

Term multiply(Heap& heap, Term a, Term b) {
  if (is_float(a) && is_float(b)) return finite(heap, float_value(a) * float_value(b));
  if (!are_integers(a, b)) return with_floats(heap, a, b, [](double x, double y) { return x * y; });
  const Magnitude left(a), right(b);
  if (left.is_zero() || right.is_zero()) return Term::small(0);
  const Magnitude& large = left.size() >= right.size() ? left : right;
  const Magnitude& little = left.size() >= right.size() ? right : left;
  const std::size_t size = large.size() + little.size();  // or a limb less
  if (size - 1 > limbs_max()) return Term::none();
  BigBuilder result(heap, size);
  if (a == b)
    mpn_sqr(result.limbs(), large.limbs(), length(large));
  else
    mpn_mul(result.limbs(), large.limbs(), length(large), little.limbs(), length(little));
  return finish_limited(result, size, left.is_negative() != right.is_negative());
}

Term integer_divide(Heap& heap, Term a, Term b) {
  if (!are_integers(a, b) || b == Term::small(0)) return Term::none();
  const Magnitude left(a), right(b);
  if (left.size() < right.size()) return Term::small(0);
  const bool is_negative = left.is_negative() != right.is_negative();
  const std::size_t size = left.size() - right.size() + 1;
  if (right.size() == 1) {
    BigBuilder quotient(heap, size);
    mpn_divrem_1(quotient.limbs(), 0, left.limbs(), length(left), right.limbs()[0]);
    return quotient.finish(size, is_negative);
  }
  BigBuilder quotient(heap, size + right.size());  // the remainder lies after the quotient
  mpn_tdiv_qr(quotient.limbs(), quotient.limbs() + size, 0, left.limbs(), length(left), right.limbs(),
              length(right));
  return quotient.finish(size, is_negative);
}

Term remainder(Heap& heap, Term a, Term b) {
  if (!are_integers(a, b) || b == Term::small(0)) return Term::none();
  const Magnitude left(a), right(b);
  if (left.size() < right.size()) return a;
  if (right.size() == 1) {
    const Word rest = mpn_mod_1(left.limbs(), length(left), right.limbs()[0]);
    return make_integer(heap, {&rest, 1}, left.is_negative());
  }
  const std::size_t quotient_size = left.size() - right.size() + 1;
  BigBuilder rest(heap, right.size() + quotient_size);  // the quotient lies after the remainder
  mpn_tdiv_qr(rest.limbs() + right.size(), rest.limbs(), 0, left.limbs(), length(left), right.limbs(),
              length(right));
  return rest.finish(right.size(), left.is_negative());
}

Term negate(Heap& heap, Term a) {
  if (is_float(a)) return heap.floating(-float_value(a));
  if (!is_integer(a)) return Term::none();
  const Magnitude magnitude(a);
  return make_integer(heap, {magnitude.limbs(), magnitude.size()}, !magnitude.is_negative());
}

Term bit_and(Heap& heap, Term a, Term b) {
  return bitwise(heap, a, b, [](Word x, Word y) { return x & y; });
}

Term bit_or(Heap& heap, Term a, Term b) {
  return bitwise(heap, a, b, [](Word x, Word y) { return x | y; });
}

Term bit_xor(Heap& heap, Term a, Term b) {
  return bitwise(heap, a, b, [](Word x, Word y) { return x ^ y; });
}

Term bit_not(Heap& heap, Term a) { return slow::bit_xor(heap, a, Term::small(-1)); }

Term shift_left(Heap& heap, Term a, Term b) { return shift(heap, a, b, Direction::kLeft); }

Term shift_right(Heap& heap, Term a, Term b) { return shift(heap, a, b, Direction::kRight); }

int compare_numbers(Term a, Term b) {
  if (is_float(a)) {
    const double left = float_value(a);
    if (!is_float(b)) return -compare_integer_with_float(b, left);
    const double right = float_value(b);
    return left < right ? -1 : left > right;
  }
  if (is_float(b)) return compare_integer_with_float(a, float_value(b));
  return compare_integers(Magnitude(a), Magnitude(b));
}

}  // namespace slow

Term divide(Heap& heap, Term a, Term b) {
  return with_floats(heap, a, b, [](double x, double y) { return x / y; });
}

Term absolute(Heap& heap, Term a) {
  if (a.is_small()) return a.small_value() < 0 ? negate(heap, a) : a;
  if (is_kind(a, Kind::kNegativeBig)) return negate(heap, a);
  if (is_float(a)) return float_value(a) < 0.0 ? heap.floating(-float_value(a)) : a;
  return is_number(a) ? a : Term::none();
}

}  // namespace ravel::erlang
