// The programs of tests/erlang_machine/programs print what they print on the installed erl: rare
// instructions, those that older compilers wrote, and operations in the middle of everything. And they do not
// notice when they are saved and collected (ways.h).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "erlang/system/erlc.h"
#include "erlang/system/run_program.h"
#include "erlang/system/temporary_folder.h"
#include "tests/erlang_system/compiler_options.h"
#include "tests/erlang_system/ways.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {
namespace {

// Compiler options of this process's erlc, for as long as this object lives.
class CompilerOptions {
 public:
  explicit CompilerOptions(const std::string& options) { setenv("ERL_COMPILER_OPTIONS", options.c_str(), 1); }
  ~CompilerOptions() { unsetenv("ERL_COMPILER_OPTIONS"); }
};

class Programs : public testing::Test {
 protected:
  Programs() : folder_(*TemporaryFolder::make()) {}

  std::string source(const std::string& name) {
    return project_file("tests/erlang_machine/programs/" + name);
  }
  std::string folder() { return folder_.path(); }

  // Compiles NAME.erl into the folder.
  std::string compile(const std::string& name) {
    const std::vector<std::string> files = {source(name + ".erl")};
    ErlcOptions options;
    options.output_folder = folder();
    auto compiled = compile_erlang(files, options);
    EXPECT_TRUE(compiled.ok()) << compiled.error().message;
    return compiled->beams.at(0);
  }
  std::string assemble(const std::string& name, const std::string& assembler = "assemble.escript") {
    const std::vector<std::string> command = {"escript", source(assembler), folder(), source(name + ".S")};
    const auto run = run_program(command);
    EXPECT_TRUE(run.ok() && run->exit_status == 0) << (run.ok() ? run->output : run.error().message);
    return folder() + "/" + name + ".beam";
  }
  std::string output_of_erl(const std::string& module) {
    const std::vector<std::string> command = {"erl",  "-noshell", "-pa", folder(), "-s",
                                              module, "main",     "-s",  "erlang", "halt"};
    const auto run = run_program(command);
    EXPECT_TRUE(run.ok() && run->exit_status == 0) << (run.ok() ? run->output : run.error().message);
    return run->output;
  }

  // Runs module:main() in all ways; each prints the same, and what erl prints if it is installed.
  void expect_like_erl(const std::vector<std::string>& beams, const std::string& module) {
    expect_output(beams, module, is_erl_installed() ? output_of_erl(module) : "");
  }
  void expect_output(const std::vector<std::string>& beams, const std::string& module, std::string expected) {
    const auto program = open_program(beams);
    const std::vector<Way> ways = all_ways();
    for (const Way& way : ways) {
      const auto system = start_program(*program, module + ":main", way);
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Seen seen = run(*system, way, seed, 20'000);
        if (expected.empty()) expected = seen.output;
        Seen wanted = seen;
        wanted.output = expected;
        EXPECT_EQ(difference(wanted, seen), "") << way.name << ", seed " << seed << ", " << seen.outcome;
      }
    }
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Programs, operations_stand_in_the_middle_of_everything) {
  for (const char* options : {"[]", "[r22]"}) {
    if (!is_known_to_compiler(options)) continue;
    const CompilerOptions guard(options);
    expect_like_erl({compile("suspended")}, "suspended");
  }
}

TEST_F(Programs, rare_instructions_do_what_they_do_in_erl) {
  for (const char* options : {"[]", "[r22]", "[r23]", "[r24]"}) {
    if (!is_known_to_compiler(options)) continue;
    const CompilerOptions guard(options);
    expect_like_erl({compile("rare")}, "rare");
  }
}

TEST_F(Programs, instructions_that_compilers_write_no_more_do_what_they_do_in_erl) {
  if (!is_known_to_compiler("[r22]"))
    GTEST_SKIP() << "the assembler of this Erlang/OTP does not know them any more";
  expect_like_erl({assemble("old_code"), compile("old_code_main")}, "old_code_main");
}

// erl runs Erlang functions that do the same, since it may be older than the instructions.
TEST_F(Programs, instructions_of_newer_compilers_do_what_the_same_erlang_does_in_erl) {
  const std::string main = compile("newer_code_main");
  compile("reference/newer_code");
  const std::string expected = output_of_erl("newer_code_main");
  expect_output({assemble("newer_code", "assemble_newer.escript"), main}, "newer_code_main", expected);
}

// The module has been put together by hand, and defines none.
TEST_F(Programs, making_a_native_record_that_is_not_defined_fails) {
  const std::string beam = assemble("newer_code", "assemble_newer.escript");
  const auto program = open_program({beam, compile("make_native_record")});
  const auto ways = all_ways();
  const auto system = start_program(*program, "make_native_record:main", ways.at(0));
  EXPECT_THAT(run(*system, ways.at(0), 1, 20'000).outcome,
              testing::HasSubstr("badrecord,{newer_code,point}"));
}

}  // namespace
}  // namespace ravel::erlang
