#include "p/value/print.h"

#include <gtest/gtest.h>

#include <cmath>

#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"

namespace ravel::p {
namespace {

class Names final : public ValueNames {
 public:
  std::string event(std::uint32_t number) const override { return "e" + std::to_string(number); }
  std::string machine(std::uint32_t number) const override { return "M(" + std::to_string(number) + ")"; }
  std::span<const std::string_view> fields(std::uint32_t) const override { return kFields; }
  std::string_view type_name(std::uint32_t) const override { return "tPile"; }
  std::optional<std::string> shown(Value foreign) const override {
    return foreign_content(foreign).is_null() ? std::optional<std::string>("nothing") : std::nullopt;
  }

 private:
  static constexpr std::string_view kFields[] = {"a", "b"};
};

TEST(Print, WritesValuesAsPDoes) {
  ValueStore store;
  const Names names;
  const auto text = [&](Value value) { return to_text(value, names); };
  const Value one = Value::small(1), ten = Value::small(10), nine = Value::small(9);
  EXPECT_EQ(text(Value::null()), "");
  EXPECT_EQ(text(Value::boolean(true)), "True");
  EXPECT_EQ(text(store.integer(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(text(store.real(1.5)), "1.5");
  EXPECT_EQ(text(store.string("a \"b\"")), "a \"b\"");
  EXPECT_EQ(text(Value::event(3)), "e3");
  EXPECT_EQ(text(Value::machine(4)), "M(4)");
  const Value parts[] = {one, store.string("x")};
  EXPECT_EQ(text(store.tuple(parts)), "<1,x,>");
  EXPECT_EQ(text(store.named_tuple(0, parts)), "<a:1, b:x, >");
  EXPECT_EQ(text(store.tuple({})), "<>");
  EXPECT_EQ(text(seq::of(store, parts)), "(1, x)");
  EXPECT_EQ(text(store.empty_seq()), "()");
  const Value numbers[] = {ten, nine, one};
  EXPECT_EQ(text(set::of(store, numbers)), "(<1>, <10>, <9>)");  // in the order of the texts
  EXPECT_EQ(text(map::with(store, map::with(store, store.empty_map(), nine, one), ten, Value::null())),
            "(<10->>, <9->1>)");
}

TEST(Print, WritesForeignValuesByTheirContentUnlessTheyShowThemselves) {
  ValueStore store;
  const Names names;
  const Value parts[] = {Value::small(1), store.string("x")};
  EXPECT_EQ(to_text(store.foreign(5, store.tuple(parts)), names), "tPile<1,x,>");
  EXPECT_EQ(to_text(store.foreign(5, Value::null()), names), "nothing");
}

TEST(Print, WritesNumbersAsDotNetDoes) {
  const std::pair<double, std::string_view> kNumbers[] = {{0.0, "0"},
                                                          {1.0, "1"},
                                                          {-2.5, "-2.5"},
                                                          {100.0, "100"},
                                                          {0.1, "0.1"},
                                                          {0.0001, "0.0001"},
                                                          {0.00001, "1E-05"},
                                                          {1.5e-7, "1.5E-07"},
                                                          {123456.789, "123456.789"},
                                                          {1e14, "100000000000000"},
                                                          {1e15, "1E+15"},
                                                          {1.25e20, "1.25E+20"},
                                                          {1e100, "1E+100"},
                                                          {5e-324, "5E-324"},
                                                          {1.0 / 3, "0.3333333333333333"},
                                                          {INFINITY, "Infinity"},
                                                          {-INFINITY, "-Infinity"},
                                                          {NAN, "NaN"}};
  for (const auto& [number, text] : kNumbers) EXPECT_EQ(to_text(number), text);
}

TEST(Print, StopsWhereValuesNestDeep) {
  ValueStore store;
  Value value = Value::small(1);
  for (int i = 0; i < 100'000; ++i) value = store.tuple({&value, 1});
  const std::string text = to_text(value, Names());
  EXPECT_EQ(text.size(), 3u * kPrintedDepthMax + 3);
  EXPECT_NE(text.find("<...,>"), std::string::npos);
  Value twice = Value::small(1);
  for (int i = 0; i < 100; ++i) {
    const Value both[] = {twice, twice};
    twice = store.tuple(both);
  }
  EXPECT_LT(to_text(twice, Names()).size(), 10u * kPrintedPartsMax);
}

}  // namespace
}  // namespace ravel::p
