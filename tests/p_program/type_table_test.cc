#include "p/program/type_table.h"

#include <gtest/gtest.h>

namespace ravel::p {
namespace {

class TypeTables : public testing::Test {
 protected:
  const Type* of(TypeKind kind) { return types.of(kind); }

  TypeTable types;
  const Type* integer = of(TypeKind::kInt);
  const Type* truth = of(TypeKind::kBool);
  const Type* any = of(TypeKind::kAny);
  const Type* null = of(TypeKind::kNull);
};

TEST_F(TypeTables, MakeEachTypeOnce) {
  EXPECT_EQ(types.seq(integer), types.seq(integer));
  EXPECT_NE(types.seq(integer), types.set(integer));
  EXPECT_EQ(types.map(integer, types.seq(truth)), types.map(integer, types.seq(truth)));
  EXPECT_NE(types.tuple({integer, truth}), types.tuple({truth, integer}));
  EXPECT_EQ(types.named_tuple({"a", "b"}, {integer, truth}), types.named_tuple({"a", "b"}, {integer, truth}));
  EXPECT_NE(types.named_tuple({"a", "b"}, {integer, truth}), types.named_tuple({"b", "a"}, {integer, truth}));
  EXPECT_NE(types.named_tuple({"a"}, {integer}), types.tuple({integer}));
}

TEST_F(TypeTables, NumberListsOfFields) {
  const Type* a = types.named_tuple({"x", "y"}, {integer, truth});
  const Type* b = types.named_tuple({"y", "x"}, {integer, truth});
  EXPECT_EQ(types.named_tuple({"x", "y"}, {any, any})->shape, a->shape);
  EXPECT_NE(a->shape, b->shape);
  EXPECT_EQ(types.fields_of_shape(b->shape)[0], "y");
  EXPECT_EQ(types.shapes(), 2u);
}

TEST_F(TypeTables, AssignWhatFits) {
  const auto fits = [&](const Type* to, const Type* from) { return types.is_assignable(to, from); };
  for (const Type* type : {integer, truth, any, null, types.seq(any)}) {
    EXPECT_TRUE(fits(type, type));
    EXPECT_TRUE(fits(any, type));
    EXPECT_TRUE(fits(type, types.error()));
    EXPECT_TRUE(fits(types.error(), type));
  }
  EXPECT_FALSE(fits(integer, any));
  EXPECT_FALSE(fits(integer, null));
  EXPECT_TRUE(fits(of(TypeKind::kEvent), null));
  EXPECT_TRUE(fits(of(TypeKind::kMachine), null));
  EXPECT_TRUE(fits(types.seq(any), types.seq(integer)));
  EXPECT_FALSE(fits(types.seq(integer), types.seq(any)));
  EXPECT_FALSE(fits(types.seq(any), types.set(any)));
  EXPECT_TRUE(fits(types.map(any, any), types.map(integer, truth)));
  EXPECT_TRUE(fits(types.tuple({any, integer}), types.tuple({truth, integer})));
  EXPECT_FALSE(fits(types.tuple({integer}), types.tuple({integer, integer})));
  EXPECT_TRUE(fits(types.named_tuple({"a"}, {any}), types.named_tuple({"a"}, {integer})));
  EXPECT_FALSE(fits(types.named_tuple({"b"}, {any}), types.named_tuple({"a"}, {integer})));
  EXPECT_FALSE(fits(types.tuple({any}), types.named_tuple({"a"}, {integer})));
  EXPECT_FALSE(fits(types.foreign("F"), types.foreign("G")));
  EXPECT_FALSE(fits(types.enumeration(EnumId(0), "E"), integer));
}

TEST_F(TypeTables, ComparePermissionsByTheirEvents) {
  EventSet one, same, other, none;
  one.add(EventId(3));
  same.add(EventId(3));
  other.add(EventId(300));
  const Type* a = types.permission("A", &one);
  const Type* b = types.permission("B", &same);
  const Type* c = types.permission("C", &other);
  const Type* d = types.permission("D", &none);
  EXPECT_NE(a, b);
  EXPECT_TRUE(types.is_same(a, b));
  EXPECT_FALSE(types.is_assignable(a, c));
  EXPECT_TRUE(types.is_assignable(of(TypeKind::kMachine), c));
  EXPECT_FALSE(types.is_assignable(c, of(TypeKind::kMachine)));
  EXPECT_FALSE(types.is_assignable(a, null));
  EXPECT_TRUE(types.is_data(d));
  EXPECT_FALSE(types.is_data(a));
  EXPECT_EQ(types.permissions(types.tuple({a, integer, types.seq(c)}))->ids(),
            (std::vector<EventId>{EventId(3), EventId(300)}));
  EXPECT_EQ(types.permissions(types.tuple({a, any})), nullptr);
}

TEST_F(TypeTables, KnowData) {
  EXPECT_TRUE(types.is_data(types.map(integer, types.seq(of(TypeKind::kEvent)))));
  EXPECT_TRUE(types.is_data(null));
  EXPECT_TRUE(types.is_data(of(TypeKind::kData)));
  EXPECT_FALSE(types.is_data(any));
  EXPECT_FALSE(types.is_data(of(TypeKind::kMachine)));
  EXPECT_FALSE(types.is_data(types.foreign("F")));
  EXPECT_FALSE(types.is_data(types.seq(types.tuple({any}))));
}

TEST_F(TypeTables, PrintAsPIsWritten) {
  EXPECT_EQ(
      to_string(types.map(types.tuple({integer}), types.set(types.named_tuple({"a", "b"}, {truth, any})))),
      "map[(int), set[(a: bool, b: any)]]");
  const Type* big = integer;
  for (int i = 0; i < 300; ++i) big = types.tuple({big, big});
  EXPECT_EQ(to_string(big).size(), 203u);
  EXPECT_EQ(big->depth, 301u);
  EXPECT_TRUE(types.is_assignable(types.tuple({any, big}), types.tuple({big, big})));
}

}  // namespace
}  // namespace ravel::p
