#include "erlang/term/arithmetic.h"

#include <gmp.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace ravel::erlang {
namespace {

// GMP's own integers are the reference: other functions of that library than arithmetic.cc uses.
class Reference {
 public:
  Reference() { mpz_init(value_); }
  explicit Reference(Term integer) {
    mpz_init(value_);
    const Magnitude magnitude(integer);
    mpz_import(value_, magnitude.size(), -1, sizeof(Word), 0, 0, magnitude.limbs());
    if (magnitude.is_negative()) mpz_neg(value_, value_);
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference() { mpz_clear(value_); }

  operator mpz_ptr() { return value_; }
  operator mpz_srcptr() const { return value_; }

 private:
  mpz_t value_;
};

class Arithmetic : public ::testing::Test {
 protected:
  Term power_of_two(std::int64_t exponent) {
    return shift_left(heap_, Term::small(1), Term::small(exponent));
  }

  // Integers around the places where representations change, and random ones up to 5 limbs.
  Term random_integer() {
    std::vector<Word> limbs(random_() % 5 + 1);
    for (Word& limb : limbs) limb = random_() % 4 == 0 ? (random_() % 2 == 0 ? 0 : ~Word{0}) : random_();
    limbs.back() >>= random_() % 64;
    const Term integer = make_integer(heap_, limbs, random_() % 2 == 0);
    if (random_() % 3 != 0) return integer;
    const Term edge = power_of_two(static_cast<std::int64_t>(random_() % 200));
    const Term near = add(heap_, edge, Term::small(static_cast<std::int64_t>(random_() % 5) - 2));
    return random_() % 2 == 0 ? near : negate(heap_, near);
  }

  static void expect_equal(Term actual, const Reference& expected) {
    ASSERT_TRUE(is_integer(actual));
    EXPECT_EQ(mpz_cmp(Reference(actual), expected), 0);
    expect_normal(actual);
  }

  static void expect_normal(Term integer) {
    if (integer.is_small()) return;
    const Magnitude magnitude(integer);
    ASSERT_GT(magnitude.size(), 0U);
    EXPECT_NE(magnitude.limbs()[magnitude.size() - 1], 0U) << "a leading zero limb";
    const std::optional<std::int64_t> value = to_int64(integer);
    EXPECT_FALSE(value && fits_small(*value)) << "a big integer that fits a small one";
  }

  Heap heap_;
  std::mt19937_64 random_{20221117};
};

constexpr int kRounds = 20000;

TEST_F(Arithmetic, IntegerOperatorsAgreeWithAnotherImplementation) {
  for (int round = 0; round < kRounds; ++round) {
    const Term a = random_integer(), b = random_integer();
    const Reference x(a), y(b);
    Reference expected;
    mpz_add(expected, x, y);
    expect_equal(add(heap_, a, b), expected);
    mpz_sub(expected, x, y);
    expect_equal(subtract(heap_, a, b), expected);
    mpz_mul(expected, x, y);
    expect_equal(multiply(heap_, a, b), expected);
    mpz_mul(expected, x, x);
    expect_equal(multiply(heap_, a, a), expected);
    mpz_neg(expected, x);
    expect_equal(negate(heap_, a), expected);
    mpz_abs(expected, x);
    expect_equal(absolute(heap_, a), expected);
    if (b == Term::small(0)) continue;
    mpz_tdiv_q(expected, x, y);
    expect_equal(integer_divide(heap_, a, b), expected);
    mpz_tdiv_r(expected, x, y);
    expect_equal(remainder(heap_, a, b), expected);
    if (heap_.is_full()) heap_.reset();
  }
}

TEST_F(Arithmetic, BitOperatorsSeeNegativeIntegersInTwosComplement) {
  for (int round = 0; round < kRounds; ++round) {
    const Term a = random_integer(), b = random_integer();
    const Reference x(a), y(b);
    Reference expected;
    mpz_and(expected, x, y);
    expect_equal(bit_and(heap_, a, b), expected);
    mpz_ior(expected, x, y);
    expect_equal(bit_or(heap_, a, b), expected);
    mpz_xor(expected, x, y);
    expect_equal(bit_xor(heap_, a, b), expected);
    mpz_com(expected, x);
    expect_equal(bit_not(heap_, a), expected);
    const unsigned distance = random_() % 400;
    mpz_mul_2exp(expected, x, distance);
    expect_equal(shift_left(heap_, a, Term::small(distance)), expected);
    expect_equal(shift_right(heap_, a, Term::small(-static_cast<std::int64_t>(distance))), expected);
    mpz_fdiv_q_2exp(expected, x, distance);
    expect_equal(shift_right(heap_, a, Term::small(distance)), expected);
    expect_equal(shift_left(heap_, a, Term::small(-static_cast<std::int64_t>(distance))), expected);
    if (heap_.is_full()) heap_.reset();
  }
}

TEST_F(Arithmetic, ComparingIntegersWithFloatsIsExact) {
  for (int round = 0; round < kRounds; ++round) {
    const Term a = random_integer();
    double value = static_cast<double>(static_cast<std::int64_t>(random_())) *
                   std::exp2(static_cast<int>(random_() % 200) - 60);
    if (random_() % 2 == 0) value = *to_double(a);
    if (random_() % 3 == 0) value = std::nextafter(value, random_() % 2 == 0 ? -HUGE_VAL : HUGE_VAL);
    const int order = mpz_cmp_d(Reference(a), value);
    const int expected = order < 0 ? -1 : order > 0;
    EXPECT_EQ(compare_numbers(a, heap_.floating(value)), expected) << value;
    EXPECT_EQ(compare_numbers(heap_.floating(value), a), -expected) << value;
    if (heap_.is_full()) heap_.reset();
  }
  const Term largest = heap_.floating(std::numeric_limits<double>::max());
  EXPECT_EQ(compare_numbers(power_of_two(1024), largest), 1);
  EXPECT_EQ(compare_numbers(subtract(heap_, power_of_two(1024), power_of_two(970)), largest), 1);
  EXPECT_EQ(compare_numbers(subtract(heap_, power_of_two(1024), power_of_two(971)), largest), 0);
  EXPECT_TRUE(equal_numbers(Term::small(0), heap_.floating(-0.0)));
  EXPECT_EQ(compare_numbers(Term::small(0), heap_.floating(5e-324)), -1);
}

TEST_F(Arithmetic, FloatsWithoutFractionBecomeTheSameInteger) {
  for (int round = 0; round < kRounds; ++round) {
    const double value = std::trunc(static_cast<double>(static_cast<std::int64_t>(random_())) *
                                    std::exp2(static_cast<int>(random_() % 1020) - 62));
    if (!std::isfinite(value)) continue;
    Reference expected;
    mpz_set_d(expected, value);
    expect_equal(integer_from_double(heap_, value), expected);
    if (heap_.is_full()) heap_.reset();
  }
}

TEST_F(Arithmetic, SmallIntegersBecomeBigAtTheirBordersAndSmallAgain) {
  const Term largest = Term::small(kSmallMax), least = Term::small(kSmallMin);
  const Term above = add(heap_, largest, Term::small(1));
  EXPECT_TRUE(is_kind(above, Kind::kPositiveBig));
  EXPECT_EQ(subtract(heap_, above, Term::small(1)), largest);
  EXPECT_TRUE(is_kind(subtract(heap_, least, Term::small(1)), Kind::kNegativeBig));
  EXPECT_TRUE(equal_numbers(negate(heap_, least), above));
  EXPECT_EQ(negate(heap_, above), least);
  EXPECT_TRUE(equal_numbers(integer_divide(heap_, least, Term::small(-1)), above));
  EXPECT_EQ(integer_divide(heap_, least, above), Term::small(-1));
  EXPECT_EQ(remainder(heap_, least, above), Term::small(0));
  EXPECT_TRUE(equal_numbers(multiply(heap_, least, Term::small(-1)), above));
}

TEST_F(Arithmetic, DivisionRoundsTowardsZeroAndTheRemainderHasTheSignOfTheDividend) {
  EXPECT_EQ(integer_divide(heap_, Term::small(-7), Term::small(2)), Term::small(-3));
  EXPECT_EQ(remainder(heap_, Term::small(-7), Term::small(2)), Term::small(-1));
  EXPECT_EQ(remainder(heap_, Term::small(7), Term::small(-2)), Term::small(1));
}

TEST_F(Arithmetic, DivisionByZeroFails) {
  for (const Term dividend : {Term::small(1), Term::small(0), power_of_two(100)}) {
    EXPECT_TRUE(integer_divide(heap_, dividend, Term::small(0)).is_none());
    EXPECT_TRUE(remainder(heap_, dividend, Term::small(0)).is_none());
    EXPECT_TRUE(divide(heap_, dividend, Term::small(0)).is_none());
    EXPECT_TRUE(divide(heap_, dividend, heap_.floating(-0.0)).is_none());
  }
}

TEST_F(Arithmetic, FloatResultsThatAreNotFiniteFail) {
  const Term large = heap_.floating(1e300);
  EXPECT_TRUE(multiply(heap_, large, large).is_none());
  EXPECT_TRUE(add(heap_, heap_.floating(1.7e308), heap_.floating(1.7e308)).is_none());
  EXPECT_TRUE(add(heap_, power_of_two(1024), heap_.floating(1.0)).is_none()) << "too large for a float";
  EXPECT_TRUE(divide(heap_, power_of_two(1024), power_of_two(1023)).is_none());
  EXPECT_EQ(arithmetic_error(power_of_two(1024), large), ArithmeticError::kBadarith);
}

TEST_F(Arithmetic, MixedOperandsGiveFloats) {
  EXPECT_EQ(float_value(add(heap_, Term::small(1), heap_.floating(0.5))), 1.5);
  EXPECT_EQ(float_value(subtract(heap_, heap_.floating(0.5), Term::small(1))), -0.5);
  EXPECT_EQ(float_value(multiply(heap_, power_of_two(100), heap_.floating(0.5))), 0x1p99);
  EXPECT_EQ(float_value(divide(heap_, Term::small(7), Term::small(2))), 3.5);
  EXPECT_TRUE(std::signbit(float_value(negate(heap_, heap_.floating(0.0)))));
  EXPECT_TRUE(std::signbit(float_value(absolute(heap_, heap_.floating(-0.0))))) << "as the emulator has it";
}

TEST_F(Arithmetic, OperandsThatAreNoNumbersFailAsBadarith) {
  const Term list = heap_.cons(Term::small(1), Term::nil());
  using Operation = Term (*)(Heap&, Term, Term);
  for (const Operation operation :
       std::initializer_list<Operation>{add, subtract, multiply, divide, integer_divide, remainder, bit_and,
                                        bit_or, bit_xor, shift_left, shift_right}) {
    for (const Term other : {Term::nil(), list, heap_.tuple({}), Term::atom(AtomId{1}), Term::pid(1)}) {
      EXPECT_TRUE(operation(heap_, Term::small(1), other).is_none());
      EXPECT_TRUE(operation(heap_, other, power_of_two(70)).is_none());
      EXPECT_EQ(arithmetic_error(Term::small(1), other), ArithmeticError::kBadarith);
    }
  }
  for (const Operation operation : std::initializer_list<Operation>{
           integer_divide, remainder, bit_and, bit_or, bit_xor, shift_left, shift_right}) {
    EXPECT_TRUE(operation(heap_, heap_.floating(1.0), Term::small(1)).is_none());
    EXPECT_TRUE(operation(heap_, Term::small(1), heap_.floating(1.0)).is_none());
  }
}

TEST_F(Arithmetic, IntegersBeyondTheEmulatorsLimitAreRefused) {
  const auto bits = static_cast<std::int64_t>(limbs_max() * 64);
  const Term half = power_of_two(bits - 1);  // the largest power of two
  ASSERT_FALSE(half.is_none());
  const Term largest = add(heap_, half, subtract(heap_, half, Term::small(1)));
  ASSERT_FALSE(largest.is_none());
  ArithmeticError error = ArithmeticError::kBadarith;
  EXPECT_TRUE(shift_left(heap_, Term::small(1), Term::small(bits), error).is_none());
  EXPECT_EQ(error, ArithmeticError::kSystemLimit);
  error = ArithmeticError::kBadarith;
  EXPECT_TRUE(multiply(heap_, half, Term::small(2), error).is_none());
  EXPECT_EQ(error, ArithmeticError::kSystemLimit);
  EXPECT_TRUE(multiply(heap_, largest, largest).is_none());
  EXPECT_TRUE(add(heap_, largest, Term::small(1)).is_none());
  EXPECT_TRUE(subtract(heap_, negate(heap_, largest), Term::small(1)).is_none());
  EXPECT_TRUE(bit_not(heap_, largest).is_none());
  EXPECT_TRUE(shift_left(heap_, Term::small(1), power_of_two(70)).is_none());
  EXPECT_TRUE(shift_right(heap_, half, negate(heap_, power_of_two(70))).is_none());
  EXPECT_EQ(shift_left(heap_, Term::small(0), power_of_two(70)), Term::small(0)) << "nothing to shift";
  EXPECT_EQ(shift_right(heap_, negate(heap_, half), power_of_two(70)), Term::small(-1));
}

TEST_F(Arithmetic, ConversionsToMachineIntegersRefuseWhatDoesNotFit) {
  EXPECT_EQ(to_int64(heap_.integer(INT64_MIN)), INT64_MIN);
  EXPECT_EQ(to_int64(heap_.integer(INT64_MAX)), INT64_MAX);
  EXPECT_EQ(to_int64(power_of_two(63)), std::nullopt);
  EXPECT_EQ(to_uint64(power_of_two(63)), std::uint64_t{1} << 63);
  EXPECT_EQ(to_uint64(subtract(heap_, power_of_two(64), Term::small(1))), UINT64_MAX);
  EXPECT_EQ(to_uint64(power_of_two(64)), std::nullopt);
  EXPECT_EQ(to_uint64(Term::small(-1)), std::nullopt);
  EXPECT_EQ(to_uint64(heap_.integer(INT64_MIN)), std::nullopt);
  EXPECT_EQ(to_int64(heap_.floating(1.0)), std::nullopt);
}

TEST_F(Arithmetic, ResultsThatTurnOutSmallLeaveNothingInTheNursery) {
  const Term big = power_of_two(200);
  const Term* const top = heap_.top();
  EXPECT_EQ(subtract(heap_, big, big), Term::small(0));
  EXPECT_EQ(integer_divide(heap_, big, big), Term::small(1));
  EXPECT_EQ(bit_and(heap_, big, Term::small(-1 & 0xFF)), Term::small(0));
  EXPECT_EQ(heap_.top(), top);
}

}  // namespace
}  // namespace ravel::erlang
