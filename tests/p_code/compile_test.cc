// What code is made of a program.

#include <gtest/gtest.h>

#include <algorithm>

#include "p/checker/check.h"
#include "p/code/code.h"
#include "p/value/object.h"

namespace ravel::p {
namespace {

class Compiling : public testing::Test {
 protected:
  // Of the test of that number.
  Code code_of(std::string text, std::size_t test = 0) {
    std::vector<SourceText> texts;
    texts.push_back({.name = "t.p", .text = std::move(text)});
    sources_ = check(std::move(texts));
    CHECK_MESSAGE(sources_.ok(), sources_.messages().c_str());
    return compile(*sources_.program, sources_.program->tests.at(test), store_);
  }
  static bool has(const Code& code, Value constant) {
    return std::ranges::any_of(code.instructions, [&](const Instruction& one) {
      return one.op == Opcode::kPush && code.constants[one.a] == constant;
    });
  }

  ValueStore store_;
  CheckedSources sources_;
};

TEST_F(Compiling, EachInstructionHasAPlace) {
  const Code code = code_of("machine Main { start state S { entry {\nassert 1 < 2;\nprint \"x\"; } } }");
  ASSERT_EQ(code.instructions.size(), code.places.size());
  for (std::size_t i = 0; i < code.instructions.size(); ++i)
    if (code.instructions[i].op == Opcode::kPrint) {
      EXPECT_EQ(sources_.program->sources.line_column(code.places[i]).line, 3u);
    }
}

TEST_F(Compiling, ParametersAreConstantsOfTheirTest) {
  const char* const text =
      "param n: int; machine Main { start state S { entry { assert n == 0; } } }"
      "test param (n in [41, 42]) t [main = Main]: {Main};";
  EXPECT_TRUE(has(code_of(text, 0), Value::small(41)));
  EXPECT_FALSE(has(code_of(text, 0), Value::small(42)));
  EXPECT_TRUE(has(code_of(text, 1), Value::small(42)));
}

TEST_F(Compiling, NewLeadsToTheMachineThatTheTestBinds) {
  const Code code = code_of(
      "interface I() receives; machine Real { start state S { } } machine Fake { start state S { } }"
      "machine Main { start state S { entry { new I(); } } } test t [main = Main]: {Main, Fake -> I};");
  const BoundMachine& main = code.machines.at(code.main);
  const Program& program = *sources_.program;
  EXPECT_EQ(program.machine(main.machine).name, "Main");
  for (const Instruction& one : code.instructions)
    if (one.op == Opcode::kNew) {
      EXPECT_EQ(program.machine(code.machines.at(main.links.at(one.a)).machine).name, "Fake");
    }
}

TEST_F(Compiling, StatesReactByEvent) {
  const Code code = code_of(
      "event a; event b; machine Main { start state S { defer a; on b goto T; } state T { ignore a; } }");
  const auto event = [&](std::string_view name) {
    const auto& events = sources_.program->events;
    return id_at<EventId>(
        static_cast<std::size_t>(std::ranges::find(events, name, &Event::name) - events.begin()));
  };
  const StateId first{0}, second{1};
  EXPECT_TRUE(code.defers(first, event("a")));
  EXPECT_FALSE(code.defers(second, event("a")));
  EXPECT_EQ(code.reaction(first, event("b"))->kind, ActionKind::kGoto);
  EXPECT_EQ(code.reaction(second, event("b")), nullptr);
}

TEST_F(Compiling, DefaultsFollowTheType) {
  const Code code = code_of(
      "enum E { HIGH = 9, LOW = 3 } event a: (x: int, y: seq[E]); machine Main { var e: E; var m: machine;"
      "start state S { } }");
  const std::vector<std::uint32_t>& fields = code.fields.at(0);
  EXPECT_EQ(code.constants[fields[0]], Value::small(3));
  EXPECT_TRUE(code.constants[fields[1]].is_null());
  const Value payload = code.constants[code.payloads.back()];
  ASSERT_TRUE(is_named_tuple(payload));
  EXPECT_EQ(tuple_part(payload, 0), Value::small(0));
  EXPECT_EQ(tuple_part(payload, 1), store_.empty_seq());
}

}  // namespace
}  // namespace ravel::p
