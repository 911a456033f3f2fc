// Functions of a library in C, called by programs: what they are told where they ask for what is not there.

#include "p/foreign/linked_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explorer.h"
#include "p/system/p_system.h"
#include "strategy/catalogue.h"
#include "tests/p_checker/checked.h"

namespace ravel::p {
namespace {

using CFunction = ravel_p_value (*)(ravel_p_call*, const ravel_p_value*, std::size_t);

// A program whose machine calls F(x), which is that function; how its search ends.
struct Ended {
  std::string kind = "passes";
  std::string message = {};
  std::uint64_t executions = 0;
};

Ended ended(const std::string& statements, CFunction run, const std::string& type = "any") {
  CheckedSources sources =
      checked("type tBox; event eTold: int;\nfun F(x: any): " + type +
              ";\nmachine Main { var any1: any; start state S { entry {\n" + statements + "\n} } }\n");
  EXPECT_EQ(sources.messages(), "");
  const ravel_p_function functions[] = {{"F", "(?): ?", run}};
  const ravel_p_foreign table = {RAVEL_P_FOREIGN_VERSION, functions, 1, nullptr, 0};
  const ForeignLibrary library{.file = "test.so", .checksum = 0, .table = &table};
  const auto linked = LinkedFunctions::link(*sources.program, {&library, 1});
  EXPECT_TRUE(linked.ok());
  sources.program->foreign = *linked;
  // Values are collected before each step.
  PSystem system(*sources.program, sources.program->tests.at(0), {.words_between_collections = 0});
  const auto strategy = make_strategy("dpor", StrategyParameters{});
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  const Exploration found = Explorer(system, **strategy, limits, clock).run();
  Ended ended;
  ended.executions = found.counts.executions;
  if (found.refusal) {
    ended.kind = "refused";
    ended.message = found.refusal->message;
  } else if (!found.bugs.empty()) {
    ended.kind = found.bugs.front().bug.kind;
    ended.message = found.bugs.front().bug.message;
  }
  return ended;
}

std::string misuse(const std::string& argument, CFunction run) {
  const Ended found = ended("F(" + argument + ");", run);
  EXPECT_EQ(found.kind, "refused");
  return found.message;
}

TEST(LinkedFunctions, AnswerQuestionsThatFit) {
  const CFunction sizes = [](ravel_p_call* call, const ravel_p_value* arguments, std::size_t) {
    return call->make_int(call, static_cast<std::int64_t>(call->size(call, arguments[0])));
  };
  EXPECT_EQ(
      ended("assert F((1, 2)) == 2; assert F((a = 1,)) == 1; assert F(default(map[int, int])) == 0;", sizes)
          .kind,
      "passes");
  const CFunction mapped = [](ravel_p_call* call, const ravel_p_value* arguments, std::size_t) {
    return call->mapped(call, arguments[0], 1);
  };
  EXPECT_EQ(
      ended("var m: map[int, string]; m[4] = \"four\"; m[2] = \"two\"; assert F(m) == \"four\";", mapped)
          .kind,
      "passes");
  const CFunction content = [](ravel_p_call* call, const ravel_p_value* arguments, std::size_t) {
    const ravel_p_value box = call->make_foreign(call, "tBox", arguments[0]);
    EXPECT_STREQ(call->foreign_type(call, box), "tBox");
    EXPECT_EQ(call->kind(call, box), RAVEL_P_FOREIGN);
    EXPECT_EQ(call->compare(call, box, call->content(call, box)), 1);
    return call->content(call, box);
  };
  EXPECT_EQ(ended("assert F(this) == this; assert F(null) == null;", content).kind, "passes");
}

TEST(LinkedFunctions, TellAQuestionThatDoesNotFitItsValue) {
  EXPECT_EQ(
      misuse("\"text\"", [](ravel_p_call* call, const ravel_p_value* arguments,
                            std::size_t) { return call->make_int(call, call->to_int(call, arguments[0])); }),
      "the foreign function `F` asks for the int of the value text");
  EXPECT_EQ(misuse("(1, 2)", [](ravel_p_call* call, const ravel_p_value* arguments,
                                std::size_t) { return call->part(call, arguments[0], 2); }),
            "the foreign function `F` asks for part 2 of the value <1,2,>");
  EXPECT_EQ(misuse("null",
                   [](ravel_p_call* call, const ravel_p_value* arguments, std::size_t) {
                     std::size_t length = 1;
                     call->to_string(call, arguments[0], &length);
                     return call->make_int(call, static_cast<std::int64_t>(call->size(call, arguments[0])));
                   }),
            "the foreign function `F` asks for the string of the value null");
  EXPECT_EQ(misuse("(a = 1,)",
                   [](ravel_p_call* call, const ravel_p_value* arguments, std::size_t) {
                     return call->make_string(call, call->field(call, arguments[0], 7), 0);
                   }),
            "the foreign function `F` asks for the name of part 7 of the value <a:1, >");
  EXPECT_EQ(misuse("1", [](ravel_p_call* call, const ravel_p_value* arguments,
                           std::size_t) { return call->content(call, arguments[0]); }),
            "the foreign function `F` asks for the content of the value 1");
}

TEST(LinkedFunctions, TellWhatTheProgramDoesNotHave) {
  EXPECT_EQ(misuse("1", [](ravel_p_call* call, const ravel_p_value* arguments,
                           std::size_t) { return call->make_foreign(call, "tOther", arguments[0]); }),
            "the foreign function `F` makes a value of the foreign type tOther, which the program does not "
            "declare");
  EXPECT_EQ(
      misuse("1",
             [](ravel_p_call* call, const ravel_p_value* arguments, std::size_t) {
               const char* const fields[] = {"odd"};
               return call->make_named_tuple(call, fields, arguments, 1);
             }),
      "the foreign function `F` makes a tuple with the fields odd, and no type of the program has these");
  EXPECT_EQ(
      misuse("1", [](ravel_p_call*, const ravel_p_value*, std::size_t) { return ravel_p_value{0x7f8}; }),
      "the foreign function `F` hands over a number that is no value of this call");
  EXPECT_EQ(misuse("1", [](ravel_p_call*, const ravel_p_value*, std::size_t) { return ravel_p_value{7}; }),
            "the foreign function `F` hands over a number that is no value of this call");
}

TEST(LinkedFunctions, KnowEventsByName) {
  const CFunction event = [](ravel_p_call* call, const ravel_p_value* arguments, std::size_t) {
    std::size_t length = 0;
    const char* const bytes = call->to_string(call, arguments[0], &length);
    return call->make_event(call, std::string(bytes, length).c_str());
  };
  EXPECT_EQ(ended("assert F(\"eTold\") == eTold; assert F(\"halt\") == halt; assert F(\"eOther\") == null;"
                  "assert F(\"null\") == null;",
                  event)
                .kind,
            "passes");
}

TEST(LinkedFunctions, CheckResultsOfTheirTypes) {
  const CFunction same = [](ravel_p_call*, const ravel_p_value* arguments, std::size_t) {
    return arguments[0];
  };
  EXPECT_EQ(ended("F(1);", same, "int").kind, "passes");
  EXPECT_EQ(ended("F(1.5);", same, "int").message,
            "the foreign function `F` returns 1.5, which is no value of type `int`");
  EXPECT_EQ(ended("F(1);", same, "tBox").message,
            "the foreign function `F` returns 1, which is no value of type `tBox`");
  EXPECT_EQ(ended("F(null);", same, "tBox").kind, "passes");
  EXPECT_EQ(ended("F((1, null));", same, "(int, string)").kind, "refused");
}

TEST(LinkedFunctions, ChoicesAreTriedInAllWays) {
  const CFunction chooses = [](ravel_p_call* call, const ravel_p_value* arguments, std::size_t) {
    std::int64_t sum = 0, chosen = 0;
    for (std::int64_t i = call->to_int(call, arguments[0]); i > 1; --i) {
      if (call->choose(call, i, &chosen) == 0) return RAVEL_P_NULL_VALUE;
      sum += chosen;
    }
    return call->make_int(call, sum);
  };
  EXPECT_EQ(ended("assert (F(4) as int) < 7;", chooses).executions, 24);
  const Ended found = ended("assert (F(4) as int) < 6, \"six\";", chooses);
  EXPECT_EQ(found.kind, "assertion");
  EXPECT_EQ(found.message, "six");
  EXPECT_EQ(ended("assert (F(4) as int) + (F(3) as int) < 10;", chooses).executions, 24 * 6);
}

// After it was to return, nothing counts.
TEST(LinkedFunctions, AChoiceWithoutAnAnswerEndsTheCall) {
  const CFunction goes_on = [](ravel_p_call* call, const ravel_p_value*, std::size_t) {
    std::int64_t first = 0, second = 0;
    call->choose(call, 2, &first);
    call->choose(call, 2, &second);
    if (first + second == 0) call->fail(call, "none", 4);
    return call->make_int(call, 2 * first + second);
  };
  const Ended found = ended("assert F(0) != 3, \"three\"; assert F(0) != 0;", goes_on);
  EXPECT_EQ(found.kind, "assertion");
  EXPECT_EQ(found.executions, 10);
}

TEST(LinkedFunctions, TheFunctionsOfTestsAreThoseThatTheirMachinesReach) {
  const CheckedSources sources = checked(R"(
fun A(); fun B(); fun C(); fun D(); fun E();
fun viaB() { B(); }
machine M1 { start state S { entry { viaB(); } on null do { } exit { A(); } } fun unused() { E(); } }
machine M2 { start state S { on halt goto S with { C(); } } }
event e;
spec W observes e { start state S { on e do D; } fun D() { viaD(); } }
fun viaD() { D(); }
test one [main = M1]: { M1 };
test two [main = M2]: assert W in { M2 };
)");
  ASSERT_EQ(sources.messages(), "");
  const auto names = [&](std::vector<std::size_t> tests) {
    std::string all;
    for (const FunctionId id : foreign_functions_of(*sources.program, tests))
      all += foreign_name(*sources.program, sources.program->function(id));
    return all;
  };
  EXPECT_EQ(names({0}), "AB");
  EXPECT_EQ(names({1}), "CD");
  EXPECT_EQ(names({0, 1}), "ABCD");
}

}  // namespace
}  // namespace ravel::p
