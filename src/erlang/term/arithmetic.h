// Erlang's arithmetic on integers of any size and floats.
//
// The idea: two small integers are handled inline on the tagged words, whose value fills the upper 60 bits,
// so that an overflow of the machine word is exactly an overflow of the small integer. Everything else (big
// integers, floats, mixed operands, errors) is one call into arithmetic.cc.
//
// Every operation returns `Term::none()` when it fails. Why it failed is a function of the operands, see
// `arithmetic_error`. Results are those of the emulator bit for bit: floats are finite, an integer that is
// too large for a float is badarith, and bit operations see negative integers in two's complement with
// infinitely many leading ones.
//
// Cost: small operands a few instructions; big ones what GMP's mpn functions cost.
#pragma once

#include <cstdint>

#include "erlang/term/big_integer.h"
#include "erlang/term/header.h"
#include "erlang/term/heap.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

enum class ArithmeticError : std::uint8_t { kBadarith, kSystemLimit };

// Why an operation other than `/`, div and rem failed on these operands: two integers fail only because
// the result is too large to represent.
inline ArithmeticError arithmetic_error(Term a, Term b) {
  return is_integer(a) && is_integer(b) ? ArithmeticError::kSystemLimit : ArithmeticError::kBadarith;
}

constexpr bool are_both_small(Term a, Term b) { return (a.bits() & b.bits() & 0xF) == 0xF; }

// The cases that the inline functions below leave over.
namespace slow {
Term add(Heap& heap, Term a, Term b);
Term subtract(Heap& heap, Term a, Term b);
Term multiply(Heap& heap, Term a, Term b);
Term integer_divide(Heap& heap, Term a, Term b);
Term remainder(Heap& heap, Term a, Term b);
Term negate(Heap& heap, Term a);
Term bit_and(Heap& heap, Term a, Term b);
Term bit_or(Heap& heap, Term a, Term b);
Term bit_xor(Heap& heap, Term a, Term b);
Term bit_not(Heap& heap, Term a);
Term shift_left(Heap& heap, Term a, Term b);
Term shift_right(Heap& heap, Term a, Term b);
int compare_numbers(Term a, Term b);
}  // namespace slow

inline Term add(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b)) [[likely]] {
    std::int64_t sum;
    if (!__builtin_add_overflow(static_cast<std::int64_t>(a.bits()),
                                static_cast<std::int64_t>(b.bits() - 0xF), &sum)) [[likely]]
      return Term(static_cast<Word>(sum));
  }
  return slow::add(heap, a, b);
}

inline Term subtract(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b)) [[likely]] {
    std::int64_t difference;
    if (!__builtin_sub_overflow(static_cast<std::int64_t>(a.bits()),
                                static_cast<std::int64_t>(b.bits() - 0xF), &difference)) [[likely]]
      return Term(static_cast<Word>(difference));
  }
  return slow::subtract(heap, a, b);
}

inline Term multiply(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b)) [[likely]] {
    std::int64_t product;
    if (!__builtin_mul_overflow(static_cast<std::int64_t>(a.bits() - 0xF), b.small_value(), &product))
        [[likely]]
      return Term(static_cast<Word>(product) | 0xF);
  }
  return slow::multiply(heap, a, b);
}

inline Term multiply(Heap& heap, Term a, Term b, ArithmeticError& error) {
  const Term result = multiply(heap, a, b);
  if (result.is_none()) [[unlikely]]
    error = arithmetic_error(a, b);
  return result;
}

// `/`: the result is a float.
Term divide(Heap& heap, Term a, Term b);

// `div`: rounds towards zero.
inline Term integer_divide(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b) && b != Term::small(0)) [[likely]] {
    const std::int64_t quotient = a.small_value() / b.small_value();
    if (fits_small(quotient)) [[likely]]
      return Term::small(quotient);
  }
  return slow::integer_divide(heap, a, b);
}

// `rem`: has the sign of the dividend.
inline Term remainder(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b) && b != Term::small(0)) [[likely]]
    return Term::small(a.small_value() % b.small_value());
  return slow::remainder(heap, a, b);
}

inline Term negate(Heap& heap, Term a) {
  if (a.is_small() && a != Term::small(kSmallMin)) [[likely]]
    return Term::small(-a.small_value());
  return slow::negate(heap, a);
}

inline Term bit_and(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b)) [[likely]]
    return Term(a.bits() & b.bits());
  return slow::bit_and(heap, a, b);
}

inline Term bit_or(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b)) [[likely]]
    return Term(a.bits() | b.bits());
  return slow::bit_or(heap, a, b);
}

inline Term bit_xor(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b)) [[likely]]
    return Term((a.bits() ^ b.bits()) | 0xF);
  return slow::bit_xor(heap, a, b);
}

inline Term bit_not(Heap& heap, Term a) {
  if (a.is_small()) [[likely]]
    return Term::small(~a.small_value());
  return slow::bit_not(heap, a);
}

// `bsl`; a negative distance shifts to the right.
inline Term shift_left(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b) && static_cast<std::uint64_t>(b.small_value()) < 60) [[likely]] {
    const Word value = a.bits() - 0xF;
    const Word shifted = value << b.small_value();
    if (static_cast<std::int64_t>(shifted) >> b.small_value() == static_cast<std::int64_t>(value)) [[likely]]
      return Term(shifted | 0xF);
  }
  return slow::shift_left(heap, a, b);
}

inline Term shift_left(Heap& heap, Term a, Term b, ArithmeticError& error) {
  const Term result = shift_left(heap, a, b);
  if (result.is_none()) [[unlikely]]
    error = arithmetic_error(a, b);
  return result;
}

// `bsr`; a negative distance shifts to the left.
inline Term shift_right(Heap& heap, Term a, Term b) {
  if (are_both_small(a, b) && b.small_value() >= 0) [[likely]]
    return Term::small(a.small_value() >> (b.small_value() < 60 ? b.small_value() : 60));
  return slow::shift_right(heap, a, b);
}

inline Term shift_right(Heap& heap, Term a, Term b, ArithmeticError& error) {
  const Term result = shift_right(heap, a, b);
  if (result.is_none()) [[unlikely]]
    error = arithmetic_error(a, b);
  return result;
}

// abs/1; none means badarg. abs(-0.0) is -0.0, as in the emulator.
Term absolute(Heap& heap, Term a);

// -1, 0 or 1: the order of the values, exact also between an integer and a float.
// REQUIRES: is_number(a), is_number(b).
inline int compare_numbers(Term a, Term b) {
  if (are_both_small(a, b)) [[likely]] {
    const std::int64_t left = static_cast<std::int64_t>(a.bits()),
                       right = static_cast<std::int64_t>(b.bits());
    return left < right ? -1 : left > right;
  }
  return slow::compare_numbers(a, b);
}

// Erlang's == on numbers. REQUIRES: is_number(a), is_number(b).
inline bool equal_numbers(Term a, Term b) { return compare_numbers(a, b) == 0; }

}  // namespace ravel::erlang
