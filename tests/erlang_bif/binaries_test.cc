#include "text_calls.h"

namespace ravel::erlang {
namespace {

TEST(Binaries, NoRowOfTheTableIsMissing) { EXPECT_EQ(binary_builtins().size(), 22U + 14U); }

TEST(Binaries, RandomCallsEndAsInTheInstalledErlang) {
  TextCalls calls(binary_builtins());
  calls.compare("binary", 10'000,
                [&](std::string_view module, std::string_view function, const std::vector<Term>& arguments) {
                  if (function != "via_pattern") return calls.run(module, function, arguments);
                  std::vector<Term> inner;
                  for (Term t = arguments[1]; t.is_cons(); t = t.tail()) inner.push_back(t.head());
                  const auto compiled = calls.run(module, "compile_pattern", {inner[1]});
                  if (compiled.is_error) return compiled;
                  inner[1] = compiled.term;
                  return calls.run(module, calls.names.atoms.text(arguments[0]), inner);
                });
}

TEST(Binaries, ACompiledPatternIsOpaqueButTheSameEveryTime) {
  TextCalls calls(binary_builtins());
  const Term one = calls.run("binary", "compile_pattern", {calls.binary("ab")}).term;
  const Term again = calls.run("binary", "compile_pattern", {calls.binary("ab")}).term;
  EXPECT_TRUE(equal_exactly(one, again));
  EXPECT_EQ(element(one, 1), atoms::kBm);
  const Term list = calls.heap.list(std::vector{calls.binary("ab"), calls.binary("c")});
  const Term several = calls.run("binary", "compile_pattern", {list}).term;
  EXPECT_EQ(element(several, 1), atoms::kAc);
  // A tag that does not fit, or something that only looks compiled.
  for (const Term wrong :
       {calls.heap.tuple({atoms::kAc, element(one, 2)}), calls.heap.tuple({atoms::kBm, calls.binary("ab")}),
        calls.heap.tuple({atoms::kBm, Term::small(1)})})
    EXPECT_TRUE(calls.run("binary", "match", {calls.binary("cab"), wrong}).is_error);
}

TEST(Binaries, ACopyThatIsTooLargeIsASystemLimit) {
  TextCalls calls(binary_builtins());
  const auto outcome = calls.run("binary", "copy", {calls.binary("abc"), calls.heap.integer(INT64_MAX)});
  EXPECT_TRUE(outcome.is_error);
  EXPECT_EQ(outcome.term, atoms::kSystemLimit);
  EXPECT_EQ(bit_size(calls.run("binary", "copy", {calls.binary(""), calls.heap.integer(INT64_MAX)}).term),
            0U);
}

}  // namespace
}  // namespace ravel::erlang
