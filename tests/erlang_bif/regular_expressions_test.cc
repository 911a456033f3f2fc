#include <sys/wait.h>

#include "text_calls.h"

namespace ravel::erlang {
namespace {

// That of the installed Erlang, if there is one.
RegexDialect installed_dialect() {
  const int status = std::system(
      "erl -noshell -eval '{module, _} = code:ensure_loaded(re), "
      "halt(case erlang:function_exported(re, import, 1) of true -> 7; false -> 0 end)' 2>/dev/null");
  return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? RegexDialect::kPcre2 : RegexDialect::kPcre8;
}

class RegularExpressions : public testing::Test {
 protected:
  using Outcome = TextCalls::Outcome;

  Term list(std::vector<Term> elements) { return calls.heap.list(elements); }
  Outcome run(std::string_view subject, std::string_view expression) {
    return calls.run("re", "run", {calls.binary(subject), calls.binary(expression)});
  }
  Term compiled(std::string_view expression, Term options = Term::nil()) {
    return element(calls.run("re", "compile", {calls.binary(expression), options}).term, 2);
  }
  // What the escript's re:via_compile/4 does.
  Outcome via_compile(const std::vector<Term>& arguments) {
    const Outcome made = calls.run("re", "compile", {arguments[1], arguments[2]});
    if (made.is_error || made.is_elsewhere || element(made.term, 1) == atoms::kError) return made;
    const Term pattern = element(made.term, 2);
    const Outcome matched = calls.run("re", "run", {arguments[0], pattern, arguments[3]});
    if (matched.is_error || matched.is_elsewhere) return matched;
    const Term names = calls.run("re", "inspect", {pattern, atoms::kNamelist}).term;
    return {.term = calls.heap.tuple(
                {element(pattern, 2), element(pattern, 3), element(pattern, 4), names, matched.term})};
  }

  TextCalls calls{regular_expression_builtins()};
};

class InstalledRegularExpressions : public RegularExpressions {
 protected:
  InstalledRegularExpressions() { calls.use_dialect(installed_dialect()); }
};

TEST_F(InstalledRegularExpressions, RandomCallsEndAsInTheInstalledErlang) {
  calls.compare("re", 40'000,
                [&](std::string_view module, std::string_view function, const std::vector<Term>& arguments) {
                  return function == "via_compile" ? via_compile(arguments)
                                                   : calls.run(module, function, arguments);
                });
}

TEST_F(RegularExpressions, LettersAreThoseOfLatin1) {
  for (unsigned c = 0; c < 256; ++c) {
    const std::string character(1, static_cast<char>(c));
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == 0xAA || c == 0xB5 ||
                           c == 0xBA || (c >= 0xC0 && c != 0xD7 && c != 0xF7);
    EXPECT_EQ(run(character, "[[:alpha:]]").term != atoms::kNomatch, is_letter) << c;
  }
  const Term folded =
      calls.run("re", "run", {calls.binary("\xC9"), calls.binary("\xE9"), list({atoms::kCaseless})}).term;
  EXPECT_NE(folded, atoms::kNomatch);
}

TEST_F(RegularExpressions, AMatchThatRecursesDeeplyDoesNotOverflowTheStack) {
  const std::string subject(200'000, 'a');
  const Outcome outcome = run(subject, "^(?:a|b)*$");
  ASSERT_FALSE(outcome.is_error);
  ASSERT_TRUE(is_tuple(outcome.term));
  EXPECT_EQ(element(element(outcome.term, 2).head(), 2), Term::small(200'000));
}

TEST_F(RegularExpressions, ACompiledPatternMeansTheSameToEveryMachine) {
  const Term options = list({atoms::kCaseless, atoms::kDotall});
  const Term pattern = compiled("A(.)C", options);
  TextCalls other(regular_expression_builtins());
  const Term subject = other.binary("xa\nc");
  const auto outcome = other.run("re", "run", {subject, pattern});
  ASSERT_TRUE(is_tuple(outcome.term));
  EXPECT_EQ(element(element(outcome.term, 2).head(), 1), Term::small(1));
  EXPECT_TRUE(equal_exactly(pattern, compiled("A(.)C", options)));
}

TEST_F(RegularExpressions, WhatIsNoCompiledPatternIsABadArgument) {
  const Term pattern = compiled("a");
  const Term zero = Term::small(0);
  for (const Term last : {calls.binary("abcdefgh"), calls.binary("pcre:"), Term::nil()}) {
    const Term wrong = calls.heap.tuple({atoms::kRePattern, zero, zero, zero, last});
    EXPECT_TRUE(calls.run("re", "run", {calls.binary("a"), wrong}).is_error);
    EXPECT_TRUE(calls.run("re", "inspect", {wrong, atoms::kNamelist}).is_error);
  }
  // An option for compiling comes too late.
  EXPECT_TRUE(calls.run("re", "run", {calls.binary("a"), pattern, list({atoms::kCaseless})}).is_error);
}

TEST_F(RegularExpressions, AllMatchesAndListsOfCodePointsAreLeftToTheModule) {
  EXPECT_TRUE(
      calls.run("re", "run", {calls.binary("a"), calls.binary("a"), list({atoms::kGlobal})}).is_elsewhere);
  EXPECT_TRUE(
      calls.run("re", "run", {calls.binary("a"), compiled("a"), list({atoms::kGlobal})}).is_elsewhere);
  EXPECT_TRUE(calls.run("re", "run", {Term::nil(), calls.binary("a"), list({atoms::kUnicode})}).is_elsewhere);
  EXPECT_TRUE(calls.run("re", "compile", {Term::nil(), list({atoms::kUnicode})}).is_elsewhere);
}

}  // namespace
}  // namespace ravel::erlang
