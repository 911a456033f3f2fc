// No text may crash the reader: neither what is nested without end nor what is damaged.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/p_checker/checked.h"
#include "tests/p_checker/mutations.h"
#include "tests/p_checker/well_formed.h"

namespace ravel::p {
namespace {

constexpr int kFarTooDeep = 100'000;

std::string repeated(std::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

// Each is refused with that sentence somewhere; most end abruptly.
TEST(Nesting, HasABoundEverywhere) {
  const std::string sentence = "nested more than 400 deep";
  const auto refuses = [&](const std::string& text) {
    return said(text).find(sentence) != std::string::npos;
  };
  const std::string open = "fun f() { var x: any; x = ";
  for (const char* piece : {"(", "-", "!", "(a = ", "x[", "f(", "keys(", "new M(", "choose(",
                            "format(\"{0}\", ", "1 + (", "(1, "})
    EXPECT_TRUE(refuses(open + repeated(piece, kFarTooDeep))) << piece;
  for (const char* piece : {" + 1", ".a", ".0", "[0]", " as any", " && true", " ==> true"})
    EXPECT_TRUE(refuses(open + "1" + repeated(piece, kFarTooDeep) + "; }")) << piece;
  for (const char* piece :
       {"{", "if (true) ", "while (true) ", "foreach (x in x) ", "if (true) {} else ", "receive { case e: {"})
    EXPECT_TRUE(refuses("fun f() { " + repeated(piece, kFarTooDeep))) << piece;
  for (const char* piece : {"seq[", "set[", "map[int, ", "(", "(a: "})
    EXPECT_TRUE(refuses("type T = " + repeated(piece, kFarTooDeep))) << piece;
  for (const char* piece : {"(", "union A, ", "assert S in ", "hidee e in "})
    EXPECT_TRUE(refuses("module m = " + repeated(piece, kFarTooDeep))) << piece;
  EXPECT_TRUE(refuses("fun f() { x" + repeated("[0]", kFarTooDeep) + " = 1; }"));
  EXPECT_TRUE(refuses("fun f() { assert " + repeated("forall (x: int) :: ", kFarTooDeep)));
}

TEST(Nesting, OfTypesByNamesHasABound) {
  std::string text = "type T0 = int;\n";
  for (int i = 1; i < 5000; ++i)
    text += "type T" + std::to_string(i) + " = seq[T" + std::to_string(i - 1) + "];\n";
  EXPECT_NE(said(text).find("t.p:401:13: this type is nested more than 400 deep"), std::string::npos);
  std::string backwards = "type T0 = int;\n";
  for (int i = 5000; i > 0; --i)
    backwards += "type T" + std::to_string(i) + " = seq[T" + std::to_string(i - 1) + "];\n";
  EXPECT_NE(said(backwards).find("nested more than 400 deep"), std::string::npos);
}

TEST(Nesting, OfModulesByNamesHasABound) {
  std::string text = "machine M { start state S { } } module m0 = { M };\n";
  for (int i = 5000; i > 0; --i)
    text += "module m" + std::to_string(i) + " = assert S in m" + std::to_string(i - 1) + ";\n";
  EXPECT_NE(said(text), "");
}

TEST(Nesting, ThatPeopleWriteIsFine) {
  EXPECT_EQ(said("fun f(): int { return 1" + repeated(" + 1", 398) + "; }"), "");
  EXPECT_EQ(said("fun f(): int { return " + repeated("(", 150) + "1" + repeated(")", 150) + "; }"), "");
  EXPECT_EQ(said("fun f(x: int) { if (x == 0) { }" + repeated(" else if (x == 1) { }", 300) + " }"), "");
}

std::string file(const std::string& name) {
  std::ifstream in(std::string(RAVEL_SOURCE_DIR) + "/tests/p_checker/programs/" + name);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

TEST(Programs, AreAcceptedWithTheirTests) {
  const auto tests_of = [](const std::string& name) {
    const CheckedSources result = checked(file(name));
    EXPECT_EQ(result.messages(), "") << name;
    EXPECT_EQ(fault_of(*result.program), "") << name;
    return result.program->tests.size();
  };
  EXPECT_EQ(tests_of("elevator.p"), 1u);
  EXPECT_EQ(tests_of("library.p"), 8u);
  EXPECT_EQ(tests_of("everything.p"), 5u);
}

TEST(Damage, NeverCrashes) {
  constexpr std::uint64_t kPerProgram = 1500;
  for (const char* name : {"elevator.p", "library.p", "everything.p"}) {
    const std::string text = file(name);
    for (std::uint64_t seed = 0; seed < kPerProgram; ++seed) {
      Random random(seed);
      const CheckedSources result = checked(mutated(text, random));
      if (result.ok()) {
        EXPECT_EQ(fault_of(*result.program), "") << name << " " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace ravel::p
