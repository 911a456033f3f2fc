#include "p/foreign/signature.h"

#include <gtest/gtest.h>

#include "p/foreign/skeleton.h"
#include "tests/p_checker/checked.h"

namespace ravel::p {
namespace {

// Its only function is foreign.
struct OneFunction {
  explicit OneFunction(std::string_view declarations) : sources(checked(declarations)) {
    EXPECT_EQ(sources.messages(), "");
  }
  const Function& function() const { return sources.program->functions.at(0); }

  CheckedSources sources;
};

std::string signature(std::string_view declarations) {
  return signature_of(OneFunction(declarations).function());
}

bool fits(std::string_view given, std::string_view declarations) {
  return fits_signature(given, OneFunction(declarations).function());
}

TEST(Signature, SaysTypesAsALibraryDoes) {
  EXPECT_EQ(signature("fun F();"), "()");
  EXPECT_EQ(signature("fun F(): int;"), "(): int");
  EXPECT_EQ(signature("enum E { A } type T; machine M { start state S { } } \n"
                      "fun F(a: E, b: T, c: machine, d: M, e: event, f: float, g: string, h: bool): T;"),
            "(int, T, machine, machine, event, float, string, bool): T");
  EXPECT_EQ(signature("fun F(a: seq[int], b: map[int, set[any]], c: data): (a: int, b: (int, string));"),
            "(seq[int], map[int, set[?]], ?): (a: int, b: (int, string))");
}

TEST(Signature, WhatIsOfAnyTypeMustBeSoInAParameterOnly) {
  constexpr const char kDeclared[] = "fun F(a: any, b: seq[int]): any;";
  EXPECT_TRUE(fits("(?, seq[int]): ?", kDeclared));
  EXPECT_TRUE(fits("(?, ?): seq[(int, string)]", kDeclared));
  EXPECT_TRUE(fits("(?, seq[?]): int", kDeclared));
  EXPECT_FALSE(fits("(int, seq[int]): ?", kDeclared));
  EXPECT_FALSE(fits("(?, seq[string]): ?", kDeclared));
  EXPECT_FALSE(fits("(?, seq[int])", kDeclared));
  EXPECT_FALSE(fits("(?): ?", kDeclared));
  EXPECT_FALSE(fits("(?, ?, ?): ?", kDeclared));
  EXPECT_FALSE(fits("", kDeclared));
  constexpr const char kTuples[] = "fun F(a: (x: int, y: any)): (x: any, y: int);";
  EXPECT_TRUE(fits("((x: int, y: ?)): (x: map[int, int], y: int)", kTuples));
  EXPECT_FALSE(fits("((x: int, y: int)): (x: ?, y: int)", kTuples));
  EXPECT_FALSE(fits("((x: int, z: ?)): (x: ?, y: int)", kTuples));
  EXPECT_TRUE(fits("(?): ?", kTuples));
}

TEST(Skeleton, DeclaresStructsBeforeWhatNeedsThem) {
  const OneFunction one(
      "type tBox; fun F(x: (a: int, b: seq[(c: tBox)]), y: set[tBox], z: float): (a: int, b: seq[(c: "
      "tBox)]);");
  const FunctionId functions[] = {FunctionId{0}};
  EXPECT_EQ(skeleton(*one.sources.program, functions),
            "#include <ravel/p_foreign.h>\n"
            "struct tBox {\n  // its fields\n  RAVEL_P_TYPE(tBox /* , the names of its fields */)\n};\n"
            "struct F_x_b {\n  tBox c;\n  RAVEL_P_FIELDS(c)\n};\n"
            "struct F_x {\n  int64_t a;\n  std::vector<F_x_b> b;\n  RAVEL_P_FIELDS(a, b)\n};\n"
            "F_x F(const F_x& x, const std::set<tBox>& y, double z);\n"
            "RAVEL_P_FUNCTION(F)\n");
}

}  // namespace
}  // namespace ravel::p
