#include "erlang/term/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "erlang/term/arithmetic.h"

namespace ravel::erlang {
namespace {

class NumberText : public ::testing::Test {
 protected:
  Term characters(std::string_view text, Term tail = Term::nil()) {
    for (std::size_t i = text.size(); i-- > 0;)
      tail = heap_.cons(Term::small(static_cast<unsigned char>(text[i])), tail);
    return tail;
  }
  std::string text_behind(Term list) {
    std::string text;
    for (; list.is_cons(); list = list.tail()) text.push_back(static_cast<char>(list.head().small_value()));
    return text;
  }

  Heap heap_;
};

using Status = LeadingNumber::Status;

TEST_F(NumberText, IntegersPrintInEveryBaseWithCapitalDigits) {
  EXPECT_EQ(integer_text(Term::small(0)), "0");
  EXPECT_EQ(integer_text(Term::small(-255), 16), "-FF");
  EXPECT_EQ(integer_text(Term::small(35), 36), "Z");
  EXPECT_EQ(integer_text(Term::small(kSmallMin), 2), "-1" + std::string(59, '0'));
  const Term big = shift_left(heap_, Term::small(-1), Term::small(100));
  EXPECT_EQ(integer_text(big), "-1267650600228229401496703205376");
  EXPECT_EQ(integer_text(big, 16), "-1" + std::string(25, '0'));
  EXPECT_EQ(integer_text(big, 36), "-3EWFDNCA0N6LD1GGVFGG");
}

TEST_F(NumberText, WhatIsPrintedReadsBackAsTheSameInteger) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 5000; ++round) {
    std::vector<Word> limbs(random() % 40);
    for (Word& limb : limbs) limb = random();
    const Term integer = make_integer(heap_, limbs, round % 2 == 0);
    const int base = static_cast<int>(random() % 35) + 2;
    const std::string text = integer_text(integer, base);
    EXPECT_TRUE(equal_numbers(parse_integer(heap_, text, base), integer)) << text << " in base " << base;
    const LeadingNumber read = read_integer(heap_, characters(text), base);
    EXPECT_EQ(read.status, Status::kFound);
    EXPECT_TRUE(equal_numbers(read.number, integer)) << text << " in base " << base;
    EXPECT_TRUE(read.rest.is_nil());
    if (heap_.is_full()) heap_.reset();
  }
}

TEST_F(NumberText, IntegersMayHaveASignAndLeadingZerosAndDigitsOfEitherCase) {
  EXPECT_EQ(parse_integer(heap_, "+12"), Term::small(12));
  EXPECT_EQ(parse_integer(heap_, "-0"), Term::small(0));
  EXPECT_EQ(parse_integer(heap_, "-" + std::string(100, '0') + "7"), Term::small(-7));
  EXPECT_EQ(parse_integer(heap_, "fF", 16), Term::small(255));
  EXPECT_EQ(parse_integer(heap_, "-576460752303423488"), Term::small(kSmallMin));
  EXPECT_TRUE(is_big(parse_integer(heap_, "576460752303423488")));
}

TEST_F(NumberText, AnythingElseIsNoInteger) {
  for (const char* text :
       {"", "+", "-", "--1", "+-1", "1 ", " 1", "1.0", "12a", "G", "123456789012345678901234567890x"})
    EXPECT_TRUE(parse_integer(heap_, text).is_none()) << text;
  EXPECT_TRUE(parse_integer(heap_, "2", 2).is_none());
  EXPECT_TRUE(parse_integer(heap_, "G", 16).is_none());
}

TEST_F(NumberText, AHugeIntegerIsReadInLessThanQuadraticTimeUpToTheLimit) {
  EXPECT_TRUE(is_big(parse_integer(heap_, std::string(1'000'000, '9'))));
  const std::string hex_digits(limbs_max() * 16, 'F');
  EXPECT_TRUE(is_big(parse_integer(heap_, hex_digits, 16)));
  EXPECT_TRUE(parse_integer(heap_, hex_digits + "F", 16).is_none());
}

TEST_F(NumberText, AnIntegerAtTheBeginningOfAListIsReadAndTheRestIsKept) {
  const LeadingNumber read = read_integer(heap_, characters("-12abc"));
  EXPECT_EQ(read.status, Status::kFound);
  EXPECT_EQ(read.number, Term::small(-12));
  EXPECT_EQ(text_behind(read.rest), "abc");
  EXPECT_EQ(read_integer(heap_, characters("1", Term::small(5))).rest, Term::small(5)) << "an improper tail";
  EXPECT_EQ(read_integer(heap_, characters("abc")).status, Status::kNoNumber);
  EXPECT_EQ(read_integer(heap_, characters("-")).status, Status::kNoNumber);
  EXPECT_EQ(read_integer(heap_, Term::nil()).status, Status::kNoNumber);
  EXPECT_EQ(read_integer(heap_, Term::small(1)).status, Status::kNotAList);
}

TEST_F(NumberText, CharactersOfAListAreDigitsModulo256AsInTheEmulator) {
  const Term list = heap_.cons(Term::small(256 + '1'), heap_.cons(Term::small('2' - 256), Term::nil()));
  EXPECT_EQ(read_integer(heap_, list).number, Term::small(12));
}

TEST_F(NumberText, AFloatAtTheBeginningOfAListEndsWhereItStopsBeingOne) {
  const auto expect = [&](std::string_view text, double value, std::string_view rest) {
    const LeadingNumber read = read_float(heap_, characters(text));
    ASSERT_EQ(read.status, Status::kFound) << text;
    EXPECT_EQ(float_value(read.number), value) << text;
    EXPECT_EQ(text_behind(read.rest), rest) << text;
  };
  expect("1.5", 1.5, "");
  expect("+1.5abc", 1.5, "abc");
  expect("-1,5e3z", -1500, "z");
  expect("1.0e", 1, "e");
  expect("1.0e+x", 1, "e+x");
  expect("1.5ee", 1.5, "ee");
  expect("1.2.3", 1.2, ".3");
  for (const char* text : {"", "12", "-.5", "1.", "1.e5", "+-1.0", "a", "1.5e400"})
    EXPECT_EQ(read_float(heap_, characters(text)).status, Status::kNoNumber) << text;
  EXPECT_EQ(read_float(heap_, Term::small(1)).status, Status::kNotAList);
}

TEST_F(NumberText, TheShortestFormPicksTheShorterOfPlainAndExponent) {
  EXPECT_EQ(shortest_float_text(0.0), "0.0");
  EXPECT_EQ(shortest_float_text(-0.0), "-0.0");
  EXPECT_EQ(shortest_float_text(0.1), "0.1");
  EXPECT_EQ(shortest_float_text(100.0), "100.0");
  EXPECT_EQ(shortest_float_text(1000.0), "1.0e3");
  EXPECT_EQ(shortest_float_text(12340.0), "12340.0");
  EXPECT_EQ(shortest_float_text(123400.0), "1.234e5");
  EXPECT_EQ(shortest_float_text(0.0001), "0.0001");
  EXPECT_EQ(shortest_float_text(0.00001), "1.0e-5");
  EXPECT_EQ(shortest_float_text(0.001234), "0.001234");
  EXPECT_EQ(shortest_float_text(123456789e2), "12345678900.0");
  EXPECT_EQ(shortest_float_text(123456789e3), "1.23456789e11");
  EXPECT_EQ(shortest_float_text(1e22), "1.0e22");
  EXPECT_EQ(shortest_float_text(-1.5e-300), "-1.5e-300");
  EXPECT_EQ(shortest_float_text(0x1p53 - 1), "9007199254740991.0");
  EXPECT_EQ(shortest_float_text(0x1p53), "9.007199254740992e15");
  EXPECT_EQ(shortest_float_text(5e-324), "5.0e-324");
}

TEST_F(NumberText, TheShortestFormReadsBackAsTheSameFloat) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 100000; ++round) {
    const double value = __builtin_bit_cast(double, random());
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(parse_float(shortest_float_text(value)), value);
  }
}

TEST_F(NumberText, ScientificAndDecimalFormsHaveTheAskedDecimals) {
  EXPECT_EQ(scientific_float_text(1.5, 20), "1.50000000000000000000e+00");
  EXPECT_EQ(scientific_float_text(1.5, 0), "2e+00");
  EXPECT_EQ(scientific_float_text(-1e-100, 3), "-1.000e-100");
  EXPECT_EQ(scientific_float_text(1.5, -1), "1.500000e+00") << "a negative number means six";
  EXPECT_EQ(decimal_float_text(-0.0, 2, TrailingZeros::kKeep), "-0.00");
  EXPECT_EQ(decimal_float_text(2.5, 0, TrailingZeros::kKeep), "3");
  EXPECT_EQ(decimal_float_text(0.999, 2, TrailingZeros::kKeep), "1.00");
  EXPECT_EQ(decimal_float_text(0.999, 2, TrailingZeros::kCut), "1.0");
  EXPECT_EQ(decimal_float_text(1.25, 20, TrailingZeros::kCut), "1.25");
  EXPECT_EQ(decimal_float_text(1.5, -1, TrailingZeros::kKeep), std::nullopt);
}

TEST_F(NumberText, CompactCutsZerosBeforeThePointWhereTheEmulatorDoes) {
  EXPECT_EQ(decimal_float_text(1e20, 0, TrailingZeros::kCut), "1");
  EXPECT_EQ(decimal_float_text(100.0, 0, TrailingZeros::kCut), "100");
}

TEST_F(NumberText, FloatsOfMoreThan255CharactersHaveNoText) {
  EXPECT_TRUE(scientific_float_text(1.5, 249));
  EXPECT_FALSE(scientific_float_text(1.5, 250));
  EXPECT_FALSE(scientific_float_text(1.5, 1 << 30));
  EXPECT_TRUE(decimal_float_text(1.5, 253, TrailingZeros::kKeep));
  EXPECT_FALSE(decimal_float_text(1.5, 254, TrailingZeros::kKeep));
  EXPECT_FALSE(decimal_float_text(1e300, 0, TrailingZeros::kKeep));
}

TEST_F(NumberText, FloatsAreReadStrictly) {
  EXPECT_EQ(parse_float("+1.0"), 1.0);
  EXPECT_EQ(parse_float("1,5"), 1.5);
  EXPECT_EQ(parse_float("1.5E+3"), 1500.0);
  EXPECT_EQ(parse_float(std::string_view("1.0\0abc", 7)), 1.0);
  for (const char* text :
       {"", "1", "1.", ".5", "1e5", "1.0e", "1.0e+", "1.0 ", " 1.0", "1.0x", "inf", "nan", "0x1.0"})
    EXPECT_EQ(parse_float(text), std::nullopt) << text;
}

TEST_F(NumberText, AFloatTooLargeIsAnErrorAndOneTooSmallIsZero) {
  EXPECT_EQ(parse_float("1.0e400"), std::nullopt);
  EXPECT_EQ(parse_float("-1.0e400"), std::nullopt);
  EXPECT_EQ(parse_float(std::string(400, '1') + ".0"), std::nullopt);
  EXPECT_EQ(parse_float(std::string(400, '1') + ".0e-399"), 1.1111111111111112);
  EXPECT_EQ(parse_float("1.0e-400"), 0.0);
  EXPECT_TRUE(std::signbit(*parse_float("-1.0e-400")));
  EXPECT_EQ(parse_float("0.0e99999999999999999999"), 0.0);
  EXPECT_EQ(parse_float("1.0e99999999999999999999"), std::nullopt);
  EXPECT_EQ(parse_float("1.0e-99999999999999999999"), 0.0);
  EXPECT_EQ(parse_float("4.9e-324"), 5e-324);
}

}  // namespace
}  // namespace ravel::erlang
