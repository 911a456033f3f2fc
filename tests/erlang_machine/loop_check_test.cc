#include "erlang/machine/loop_check.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace ravel::erlang {
namespace {

// A function f/0 of the given instructions behind its entry label 2; its func_info has label 1.
BeamFile module_of(std::vector<std::pair<Opcode, std::vector<Operand>>> body) {
  BeamFile file;
  file.atoms = {"", "m", "f"};
  body.insert(
      body.begin(),
      {{Opcode::kLabel, {{1, OperandKind::kUnsigned}}},
       {Opcode::kFuncInfo, {{1, OperandKind::kAtom}, {2, OperandKind::kAtom}, {0, OperandKind::kUnsigned}}},
       {Opcode::kLabel, {{2, OperandKind::kUnsigned}}}});
  file.label_instructions.assign(8, kNoIndex);
  for (const auto& [opcode, operands] : body) {
    if (opcode == Opcode::kLabel)
      file.label_instructions[static_cast<std::size_t>(operands[0].value)] =
          static_cast<std::uint32_t>(file.instructions.size());
    file.instructions.push_back({opcode, static_cast<std::uint32_t>(file.operands.size()),
                                 static_cast<std::uint32_t>(operands.size())});
    file.operands.insert(file.operands.end(), operands.begin(), operands.end());
  }
  file.functions.push_back({.function_atom = 2,
                            .arity = 0,
                            .info_label = 1,
                            .entry_label = 2,
                            .first_instruction = 0,
                            .entry_instruction = 2,
                            .end_instruction = static_cast<std::uint32_t>(file.instructions.size())});
  return file;
}

Operand label(std::int64_t number) { return {number, OperandKind::kLabel}; }
const Operand kX0{0, OperandKind::kX};

TEST(LoopCheckTest, AJumpToItselfIsRefused) {
  const Status status = check_loops(module_of({{Opcode::kJump, {label(2)}}}), "m.beam");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "m.beam: the function f/0 has a loop without a call, which no compiler writes; the file is "
            "damaged. Compile the "
            "module again.");
}

TEST(LoopCheckTest, AFailedTestThatGoesBackIsRefused) {
  EXPECT_FALSE(
      check_loops(module_of({{Opcode::kIsAtom, {label(2), kX0}}, {Opcode::kReturn, {}}}), "m.beam").ok());
}

TEST(LoopCheckTest, ALoopThroughACallIsCounted) {
  EXPECT_TRUE(check_loops(module_of({{Opcode::kCall, {{0, OperandKind::kUnsigned}, label(2)}},
                                     {Opcode::kJump, {label(2)}}}),
                          "m.beam")
                  .ok());
}

TEST(LoopCheckTest, AJumpBackThatClosesNoLoopIsFine) {
  EXPECT_TRUE(check_loops(module_of({{Opcode::kJump, {label(4)}},
                                     {Opcode::kLabel, {{3, OperandKind::kUnsigned}}},
                                     {Opcode::kReturn, {}},
                                     {Opcode::kLabel, {{4, OperandKind::kUnsigned}}},
                                     {Opcode::kIsAtom, {label(3), kX0}},
                                     {Opcode::kJump, {label(3)}}}),
                          "m.beam")
                  .ok());
}

TEST(LoopCheckTest, FunctionClauseIsNoLoop) {
  EXPECT_TRUE(
      check_loops(module_of({{Opcode::kIsAtom, {label(1), kX0}}, {Opcode::kReturn, {}}}), "m.beam").ok());
}

TEST(LoopCheckTest, NoInstalledModuleHasALoop) {
  std::size_t checked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("/usr/lib/erlang/lib")) {
    if (entry.path().extension() != ".beam") continue;
    const auto file = read_beam_file(entry.path());
    ASSERT_TRUE(file.ok()) << entry.path();
    const Status status = check_loops(*file, entry.path().string());
    EXPECT_TRUE(status.ok()) << status.error().message;
    ++checked;
  }
  EXPECT_GT(checked, 200u);
}

}  // namespace
}  // namespace ravel::erlang
