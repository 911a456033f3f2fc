// Every instruction that opcodes.def lets a file have, and every one of the machine's own, is executed by a
// program that the tests run and compare with erl: those of tests/erlang_machine/programs (programs_test.cc)
// and of tests/differential, the latter with their first cases. They run here in one schedule each, on
// machines that mark what is executed. So is every built-in of OTP 25 called, but for those that are refused,
// which are called one by one in tests/erlang_bif/processes_test.cc.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "erlang/bif/builtins.h"
#include "erlang/system/run_program.h"
#include "erlang/system/temporary_folder.h"
#include "erlang/term/release.h"
#include "tests/erlang_system/compiler_options.h"
#include "tests/erlang_system/ways.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {
namespace {

namespace fs = std::filesystem;

const std::string kPrograms = "tests/erlang_machine/programs/";

// What ends a module's code, and what stands in the place of an instruction, of a function whose module is
// not loaded, or of one whose code changes (tests/golden/code_loading.erl).
constexpr Opcode kNeverExecuted[] = {Opcode::kIntCodeEnd};
constexpr Op kNotMarked[] = {Op::code_end, Op::first_run, Op::load_export, Op::enter_code, Op::enter_fun};

template <std::size_t kCount, typename Enumeration>
bool is_one_of(const Enumeration (&some)[kCount], std::size_t number) {
  return std::ranges::find(some, static_cast<Enumeration>(number)) != std::end(some);
}

class OpcodeCoverage : public testing::Test {
 protected:
  OpcodeCoverage() : folder_(*TemporaryFolder::make()) {}

  // Runs module:function() and notes what it has executed.
  void run(Program& program, const std::string& test, Outcome expected = Outcome::kFinished,
           const std::vector<std::string>& atomic_modules = {}) {
    const auto system = start_program(
        program, test, {},
        {.time = TimePolicy::kDeadlines, .atomic_modules = atomic_modules, .marks_execution = true});
    const PlainRun run = system->run_plainly();
    EXPECT_EQ(run.outcome, expected) << test << ": " << run.bug.message << run.refusal.message;
    const Machine& machine = system->machine();
    opcodes_ |= machine.code.execution_marks()->opcodes();
    for (std::size_t op = 0; op < kOpCount; ++op)
      if (machine.code.has_executed(static_cast<Op>(op))) own_.set(op);
    for (const Builtin& builtin : machine.code.builtins())
      if (machine.code.execution_marks()->has_called(&builtin)) called_.insert(name_of(builtin));
  }

  static std::string name_of(const Builtin& builtin) {
    return std::string(builtin.module) + ":" + std::string(builtin.name) + "/" +
           std::to_string(builtin.arity);
  }

  void run_compiled(const std::vector<std::string>& files, const std::string& compiler_options,
                    const std::string& test, Outcome expected = Outcome::kFinished) {
    setenv("ERL_COMPILER_OPTIONS", compiler_options.c_str(), 1);
    const auto program = open_program(files);
    unsetenv("ERL_COMPILER_OPTIONS");
    run(*program, test, expected);
  }

  std::string assemble(const std::string& assembler, const std::string& source) {
    const std::vector<std::string> command = {"escript", project_file(kPrograms + assembler), folder_.path(),
                                              project_file(source)};
    const auto run = run_program(command);
    EXPECT_TRUE(run.ok() && run->exit_status == 0);
    return folder_.path() + "/" + fs::path(source).stem().string() + ".beam";
  }

  // A program that calls main(1, `count`) of each corpus from a function of the corpus's name.
  std::vector<std::string> corpora_with_calls(int count) {
    std::vector<std::string> names;
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(project_file("tests/differential"))) {
      if (entry.path().extension() != ".erl") continue;
      files.push_back(entry.path());
      names.push_back(entry.path().stem());
    }
    std::ranges::sort(files);
    std::ranges::sort(names);
    std::erase(names, "diff_support");
    std::ofstream calls(folder_.path() + "/calls.erl");
    calls << "-module(calls).\n-compile(export_all).\n";
    for (const std::string& name : names) calls << name << "() -> " << name << ":main(1, " << count << ").\n";
    calls << "each_builtin() -> diff_builtins:main(1, length(diff_builtins:rows())).\n"
             "stop() -> halt(0).\n";
    calls.close();
    files.push_back(folder_.path() + "/calls.erl");
    corpora_ = names;
    return files;
  }

  TemporaryFolder folder_;
  std::vector<std::string> corpora_;
  std::bitset<kOpcodeMax + 1> opcodes_;
  std::bitset<kOpCount> own_;
  std::set<std::string> called_;
};

TEST_F(OpcodeCoverage, every_instruction_is_executed_in_a_program_that_is_compared_with_erl) {
  if (!is_erl_installed()) GTEST_SKIP() << "no Erlang/OTP is installed here to compile the programs";
  if (!is_known_to_compiler("[r22]"))
    GTEST_SKIP() << "the compiler of this Erlang/OTP writes no older instructions any more";
  const auto corpora = open_program(corpora_with_calls(100));
  for (const std::string& name : corpora_) run(*corpora, "calls:" + name);
  for (const std::string name : {"each_builtin", "stop"}) run(*corpora, "calls:" + name);
  run_compiled({project_file("tests/erlang_bif/process_cases.erl")}, "[]", "process_cases:main");
  for (const char* options : {"[]", "[r22]", "[r23]", "[r24]"})
    for (const std::string name : {"rare", "suspended"})
      run_compiled({project_file(kPrograms + name + ".erl")}, options, name + ":main");
  run_compiled(
      {assemble("assemble.escript", kPrograms + "old_code.S"), project_file(kPrograms + "old_code_main.erl")},
      "[]", "old_code_main:main");
  const std::string newer = assemble("assemble_newer.escript", kPrograms + "newer_code.S");
  run_compiled({newer, project_file(kPrograms + "newer_code_main.erl")}, "[]", "newer_code_main:main");
  run_compiled({newer, project_file(kPrograms + "make_native_record.erl")}, "[]", "make_native_record:main",
               Outcome::kBug);
  // As in differential.newer_diff_strings.
  run_compiled({assemble("assemble_newer.escript", "tests/differential/diff_strings.erl"),
                project_file("tests/differential/diff_support.erl")},
               "[]", "diff_strings:main");
  // A call of an atomic module, as with --atomic.
  const auto atomic = open_program({project_file("tests/golden/server_call.erl")});
  run(*atomic, "server_call:no_timeout", Outcome::kFinished, {"gen_server"});

  std::size_t loadable = 0, executed = 0;
  std::vector<std::string> missing;
  for (std::uint32_t number = 1; number <= kOpcodeMax; ++number) {
    if (!opcode_info(number).loadable || is_one_of(kNeverExecuted, number)) continue;
    ++loadable;
    if (opcodes_.test(number)) {
      ++executed;
    } else {
      missing.emplace_back(opcode_info(number).name);
    }
  }
  std::vector<std::string> own_missing;
  for (std::size_t op = 0; op < kOpCount; ++op)
    if (!own_.test(op) && !is_one_of(kNotMarked, op)) own_missing.emplace_back(op_name(static_cast<Op>(op)));
  std::printf("opcodes executed %zu/%zu, the machine's own instructions %zu/%zu\n", executed, loadable,
              own_.count(), kOpCount - std::size(kNotMarked));
  EXPECT_THAT(missing, testing::IsEmpty());
  EXPECT_THAT(own_missing, testing::IsEmpty());

  std::ifstream list(
      project_file("tests/erlang_bif/otp" + std::to_string(installed_release().number) + "_builtins.txt"));
  const std::vector<Builtin> builtins = builtins_of(installed_release());
  std::vector<std::string> not_called;
  std::size_t all = 0, refused = 0;
  for (std::string name; std::getline(list, name); ++all) {
    const auto row = std::ranges::find(builtins, name, name_of);
    if (row != builtins.end() && row->effect == Effect::kRefused) {
      ++refused;
    } else if (!called_.contains(name)) {
      not_called.push_back(name);
    }
  }
  std::erase(not_called, "erlang:hibernate/3");  // an instruction here, and among those
  std::printf("built-ins called %zu/%zu, refused %zu\n", all - refused - not_called.size(), all - refused,
              refused);
  EXPECT_THAT(not_called, testing::IsEmpty());
}

}  // namespace
}  // namespace ravel::erlang
