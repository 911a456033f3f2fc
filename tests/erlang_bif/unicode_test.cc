#include "text_calls.h"

namespace ravel::erlang {
namespace {

TEST(Unicode, RandomCallsEndAsInTheInstalledErlang) {
  TextCalls calls(unicode_builtins());
  calls.compare("unicode", 60'000,
                [&](std::string_view module, std::string_view function, const std::vector<Term>& arguments) {
                  return calls.run(module, function, arguments);
                });
}

TEST(Unicode, OtherEncodingsAreLeftToTheModule) {
  TextCalls calls(unicode_builtins());
  EXPECT_TRUE(calls.run("unicode", "characters_to_binary", {Term::nil(), calls.atom("utf16")}).is_elsewhere);
  EXPECT_TRUE(calls.run("unicode", "characters_to_list", {Term::nil(), Term::small(1)}).is_elsewhere);
}

TEST(Unicode, DepthCostsNoStack) {
  TextCalls calls(unicode_builtins());
  Term deep = Term::small('a');
  for (int i = 0; i < 1'000'000; ++i) deep = calls.heap.cons(deep, Term::nil());
  const auto outcome = calls.run("unicode", "characters_to_binary", {deep, atoms::kUnicode});
  EXPECT_FALSE(outcome.is_error);
  EXPECT_EQ(bit_size(outcome.term), 8U);
}

}  // namespace
}  // namespace ravel::erlang
