#include <gtest/gtest.h>

#include "tests/p_checker/checked.h"

namespace ravel::p {
namespace {

constexpr std::string_view kMain = "machine Main { start state S {} }\n";

std::string with_main(std::string_view text) { return said(std::string(text) + "\n" + std::string(kMain)); }

TEST(Declarations, MayComeInAnyOrder) {
  EXPECT_EQ(with_main("event e: T; type T = (a: U, b: seq[U]); type U = C; enum C { X, Y }"), "");
  EXPECT_EQ(with_main("eventset Es = { e, halt }; event e; interface I(Es) receives e; type R = I;"), "");
  EXPECT_EQ(with_main("type T = map[int, set[(float, string, bool, any, data, event, machine)]]; type F;"),
            "");
}

TEST(Declarations, OfOneKindHaveNamesOfTheirOwn) {
  EXPECT_EQ(with_main("event e; event e;"), "t.p:1:16: `e` is already declared at t.p:1:7\n");
  EXPECT_EQ(with_main("enum A { X } event X;"), "t.p:1:20: `X` is already declared at t.p:1:10\n");
  EXPECT_EQ(with_main("event X; enum A { X }"), "t.p:1:19: `X` is already declared at t.p:1:7\n");
  EXPECT_EQ(with_main("type T = int; enum T { X }"), "t.p:1:20: `T` is already declared at t.p:1:6\n");
  EXPECT_EQ(with_main("type Main = int;"), "t.p:2:9: `Main` is already declared at t.p:1:6\n");
  EXPECT_EQ(with_main("interface I(); interface I();"), "t.p:1:26: `I` is already declared at t.p:1:11\n");
  EXPECT_EQ(with_main("event e; eventset s = {e}; eventset s = {e};"),
            "t.p:1:37: `s` is already declared at t.p:1:19\n");
  EXPECT_EQ(with_main("event e; interface I(); eventset I = {e};"),
            "t.p:1:34: `I` is already declared at t.p:1:20\n");
  EXPECT_EQ(with_main("fun f() {} fun f() {}"), "t.p:1:16: `f` is already declared at t.p:1:5\n");
  EXPECT_EQ(with_main("param p: int; param p: bool;"), "t.p:1:21: `p` is already declared at t.p:1:7\n");
  EXPECT_EQ(with_main("module m = {Main}; module m = {Main};"),
            "t.p:1:27: `m` is already declared at t.p:1:8\n");
}

TEST(Declarations, OfDifferentKindsMayShareAName) {
  EXPECT_EQ(with_main("event a; type a = int; fun a(a: a): a { return a; } module a = {Main};"), "");
}

TEST(Types, MustBeDeclared) {
  constexpr std::string_view kWhy =
      " is not declared: no type, enum, machine, interface, event set or event has that name\n";
  EXPECT_EQ(with_main("event e: T;"), "t.p:1:10: `T`" + std::string(kWhy));
  EXPECT_EQ(with_main("type T = seq[U];"), "t.p:1:14: `U`" + std::string(kWhy));
  EXPECT_EQ(with_main("fun f(x: T) {}"), "t.p:1:10: `T`" + std::string(kWhy));
  EXPECT_EQ(with_main("event e: T; event f: T; fun g(x: seq[T]) {}"), "t.p:1:10: `T`" + std::string(kWhy));
}

TEST(Types, CannotContainThemselves) {
  EXPECT_EQ(with_main("type T = T;"), "t.p:1:10: the type `T` contains itself\n");
  EXPECT_EQ(with_main("type T = seq[U]; type U = (T, int);"), "t.p:1:28: the type `T` contains itself\n");
}

TEST(Types, HaveFieldsOfDifferentNames) {
  EXPECT_EQ(with_main("type T = (a: int, b: bool, a: int);"),
            "t.p:1:28: this tuple already has a field `a`\n");
}

TEST(Types, ThatDoubleWithEveryNameStaySmall) {
  std::string text = "type T0 = (int, any);\n";
  for (int i = 1; i < 200; ++i) {
    const std::string before = "T" + std::to_string(i - 1);
    text += "type T" + std::to_string(i) + " = (" + before + ", " + before + ");\n";
  }
  text += "machine Main { var a: T199; var b: T198; start state S { entry { b = a.0; b = a.1; a.0 = b; } } }";
  EXPECT_EQ(said(text), "");
}

TEST(Enums, CountFromZeroOrHaveNumbers) {
  EXPECT_EQ(with_main("enum A { X, Y } enum B { V = 3, W = 1 }"), "");
  EXPECT_EQ(with_main("enum A { X, Y = 2 }"),
            "t.p:1:15: either all elements of an enum have numbers, or none has\n");
  EXPECT_EQ(with_main("enum A { X = 1, Y = 1 }"), "t.p:1:21: `X` has the number 1, too\n");
  EXPECT_EQ(with_main("enum A { X = 2147483648 }"),
            "t.p:1:14: this number is too large: literals go up to 2147483647\n");
}

TEST(Enums, BeginWithTheLowestElement) {
  const CheckedSources result = checked("enum B { V = 3, W = 1, X = 2 }" + std::string(kMain));
  EXPECT_EQ(result.program->enums[0].default_value, 1);
}

TEST(EventSets, HoldEvents) {
  EXPECT_EQ(with_main("eventset s = {e};"), "t.p:1:15: `e` is not declared: no event has that name\n");
  EXPECT_EQ(with_main("interface I() receives e;"),
            "t.p:1:24: `e` is not declared: no event has that name\n");
}

TEST(Bounds, OfQueuesInOlderProgramsAreReadOver) {
  EXPECT_EQ(said("event e assume 1: int; event f assert 2; machine Main assume 100 { start state S {} }"),
            "");
}

}  // namespace
}  // namespace ravel::p
