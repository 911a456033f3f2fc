// What the checker makes of programs, in the shape that a compiler reads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/p_checker/checked.h"
#include "tests/p_checker/well_formed.h"

namespace ravel::p {
namespace {

using testing::ElementsAre;

// The body of the function f of a program.
struct Body {
  CheckedSources checked_sources;
  const Function* function = nullptr;

  const Statement& operator[](std::size_t i) const { return *function->body->statements[i]; }
};

Body body_of(std::string_view text) {
  Body result{checked(text)};
  EXPECT_TRUE(result.checked_sources.ok()) << result.checked_sources.messages();
  EXPECT_EQ(fault_of(*result.checked_sources.program), "");
  for (const Function& one : result.checked_sources.program->functions)
    if (one.name == "f") result.function = &one;
  return result;
}

TEST(Program, ConstantsAreComputed) {
  const Body body = body_of(
      "fun f(): int { var x: any; x = 2 + 3 * -4; x = \"a\" + \"b\\t\"; x = 1 < 2 && !false; x = 1 / 0; x = "
      "1.5 + .5; return 7 % 4; }");
  EXPECT_EQ(body[0].expressions[1]->integer, -10);
  EXPECT_EQ(body[1].expressions[1]->text, "ab\t");
  EXPECT_EQ(body[2].expressions[1]->kind, ExpressionKind::kBool);
  EXPECT_EQ(body[2].expressions[1]->integer, 1);
  EXPECT_EQ(body[3].expressions[1]->kind,
            ExpressionKind::kBinary);  // a bug of the program, when it comes there
  EXPECT_EQ(body[4].expressions[1]->real, 2.0);
  EXPECT_EQ(body[5].expressions[0]->integer, 3);
}

TEST(Program, VariablesAreSlots) {
  const Body body = body_of(
      "event e: int; event g; fun f(a: int, b: bool) { var c, d: int; c = a; receive { case e: (k: int) { "
      "var l: int; d = k + l; } "
      "case g: { var m: bool; m = b; } } d = c; }");
  const Function& function = *body.function;
  EXPECT_EQ(function.parameters, 2u);
  EXPECT_EQ(function.first_slots, 4u);
  std::vector<std::string_view> names;
  for (const Variable& slot : function.slots) names.push_back(slot.name);
  EXPECT_THAT(names, ElementsAre("a", "b", "c", "d", "k", "l", "m"));
  const Statement& receive = body[1];
  ASSERT_EQ(receive.cases.size(), 2u);
  EXPECT_TRUE(receive.cases[0].has_parameter);
  EXPECT_EQ(receive.cases[0].first_slot, 4u);
  EXPECT_EQ(receive.cases[0].slots, 2u);
  EXPECT_FALSE(receive.cases[1].has_parameter);
  EXPECT_EQ(receive.cases[1].first_slot, 6u);
}

TEST(Program, NamesAreTheInnermostOnes) {
  const Body body = body_of("machine Main { var a, b: int; start state S { } fun f(b: int) { a = b; } }");
  EXPECT_EQ(body[0].expressions[0]->kind, ExpressionKind::kField);
  EXPECT_EQ(body[0].expressions[1]->kind, ExpressionKind::kLocal);
}

TEST(Program, SeveralArgumentsAreOnePayload) {
  const Body body = body_of(
      "event e: (int, bool); machine Main { start state S { } fun f() { send this, e, 1, true; send this, e, "
      "(2, false); } }");
  ASSERT_EQ(body[0].expressions.size(), 3u);
  EXPECT_EQ(body[0].expressions[2]->kind, ExpressionKind::kTuple);
  EXPECT_EQ(body[0].expressions[2]->type, body[1].expressions[2]->type);
}

TEST(Program, FormatsAreSplit) {
  const Body body = body_of("fun f(a: int): string { return format(\"x{{{0}}}y{1}z{0}\", a, true); }");
  const Expression& format = *body[0].expressions[0];
  ASSERT_EQ(format.kind, ExpressionKind::kFormat);
  ASSERT_EQ(format.pieces.size(), 3u);
  EXPECT_EQ(format.pieces[0].text, "x{");
  EXPECT_EQ(format.pieces[0].argument, 0u);
  EXPECT_EQ(format.pieces[1].text, "}y");
  EXPECT_EQ(format.pieces[1].argument, 1u);
  EXPECT_EQ(format.pieces[2].text, "z");
  EXPECT_EQ(format.pieces[2].argument, 0u);
}

TEST(Program, EffectsGoThroughCalls) {
  const CheckedSources result = checked(
      "event e; machine Main { start state S { entry { a(); } } fun a() { b(); } fun b() { a(); c(); } fun "
      "c() { new Main(); raise e; } fun d() { } }");
  ASSERT_TRUE(result.ok()) << result.messages();
  const Program& program = *result.program;
  EXPECT_TRUE(program.functions[0].effects.creates);
  EXPECT_TRUE(program.functions[0].effects.raises);
  EXPECT_FALSE(program.functions[0].effects.sends);
  EXPECT_FALSE(program.functions[3].effects.creates);
  EXPECT_EQ(program.machines[0].creates.ids(), std::vector<InterfaceId>{InterfaceId(0)});
}

TEST(Program, OutlivesItsTexts) {
  std::unique_ptr<Program> program =
      checked("event ping: (who: machine); machine Main { start state S { } }").program;
  EXPECT_EQ(program->events[2].name, "ping");
  EXPECT_EQ(to_string(program->events[2].payload), "(who: machine)");
  EXPECT_EQ(program->machines[0].name, "Main");
  EXPECT_EQ(program->sources.describe(program->machines[0].place), "t.p:1:37");
}

}  // namespace
}  // namespace ravel::p
