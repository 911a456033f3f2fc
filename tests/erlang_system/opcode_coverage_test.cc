// Every instruction that opcodes.def lets a file have is in a program that the tests run and compare with erl: those of
// tests/erlang_machine/programs (programs_test.cc), of tests/differential and of tests/golden.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "erlang/system/run_program.h"
#include "erlang/system/temporary_folder.h"
#include "tests/erlang_system/ways.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> sources_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(project_file(folder)))
    if (entry.path().extension() == ".erl") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

class OpcodeCoverage : public testing::Test {
 protected:
  void note(const std::vector<std::string>& files, const std::string& compiler_options = "[]") {
    setenv("ERL_COMPILER_OPTIONS", compiler_options.c_str(), 1);
    const auto program = open_program(files);
    unsetenv("ERL_COMPILER_OPTIONS");
    for (const ProgramModule& module : program->modules())
      for (const Instruction& instruction : module.beam.instructions)
        seen_.insert(static_cast<std::uint32_t>(instruction.opcode));
  }

  void note_assembled(const std::string& assembler, const fs::path& source) {
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder.ok());
    const std::vector<std::string> command = {"escript", project_file("tests/erlang_machine/programs/" + assembler),
                                              folder->path(), project_file(source)};
    const auto run = run_program(command);
    ASSERT_TRUE(run.ok() && run->exit_status == 0);
    note({folder->path() + "/" + source.stem().string() + ".beam"});
  }

  std::set<std::uint32_t> seen_;
};

TEST_F(OpcodeCoverage, every_instruction_is_in_a_program_that_is_compared_with_erl) {
  if (!is_erl_installed()) GTEST_SKIP() << "no Erlang/OTP is installed here to compile the programs";
  note(sources_in("tests/differential"));
  note(sources_in("tests/golden"));
  const std::string programs = "tests/erlang_machine/programs/";
  for (const char* options : {"[]", "[r22]", "[r23]", "[r24]"})
    note({project_file(programs + "rare.erl"), project_file(programs + "suspended.erl")}, options);
  note_assembled("assemble.escript", programs + "old_code.S");
  note_assembled("assemble_newer.escript", programs + "newer_code.S");
  note_assembled("assemble_newer.escript", "tests/differential/diff_strings.erl");  // differential.newer_diff_strings

  std::size_t loadable = 0, covered = 0;
  std::vector<std::string> missing;
  for (std::uint32_t number = 1; number <= kOpcodeMax; ++number) {
    const OpcodeInfo& info = opcode_info(number);
    if (!info.loadable) continue;
    ++loadable;
    if (seen_.contains(number)) {
      ++covered;
    } else {
      missing.emplace_back(info.name);
    }
  }
  std::printf("opcodes %zu/%zu\n", covered, loadable);
  EXPECT_THAT(missing, testing::IsEmpty());
}

}  // namespace
}  // namespace ravel::erlang
