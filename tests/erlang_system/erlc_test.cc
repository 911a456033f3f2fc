#include "erlang/system/erlc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "erlang/beam/beam_file.h"
#include "erlang/system/otp_installation.h"
#include "erlang/system/run_program.h"
#include "erlang/system/temporary_folder.h"

namespace ravel::erlang {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ErlcTest : public testing::Test {
 protected:
  void SetUp() override {
    const Result<OtpInstallation> otp = OtpInstallation::find();
    if (!otp) GTEST_SKIP() << otp.error().message;
    fs::create_directories(folder() / "out");
    options_ = {.program = otp->erlc(), .output_folder = folder() / "out"};
  }
  fs::path folder() const { return folder_->path(); }

  std::string write(const std::string& name, const std::string& text) {
    fs::create_directories((folder() / name).parent_path());
    std::ofstream(folder() / name) << text;
    return folder() / name;
  }

  Result<TemporaryFolder> folder_ = TemporaryFolder::make();
  ErlcOptions options_;
};

TEST_F(ErlcTest, CompilesAFile) {
  const std::vector<std::string> files = {write("m.erl", "-module(m).\n-export([f/0]).\nf() -> ok.\n")};
  const Result<CompiledFiles> compiled = compile_erlang(files, options_);
  ASSERT_TRUE(compiled) << compiled.error().message;
  ASSERT_EQ(compiled->beams.size(), 1u);
  const Result<BeamFile> beam = read_beam_file(compiled->beams[0]);
  ASSERT_TRUE(beam) << beam.error().message;
  EXPECT_EQ(beam->module_name(), "m");
  EXPECT_GT(beam->debug_info_size, 50u);
  EXPECT_EQ(compiled->messages, "");
}

TEST_F(ErlcTest, CompilesAFileOfAFolderWhoseNameBeginsLikeThePresentOne) {
  const std::vector<std::string> files = {
      write("project_two/m.erl", "-module(m).\n-export([f/0]).\nf() -> ok.\n")};
  fs::create_directories(folder() / "project");
  const fs::path before = fs::current_path();
  fs::current_path(folder() / "project");
  const Result<CompiledFiles> compiled = compile_erlang(files, options_);
  fs::current_path(before);
  EXPECT_TRUE(compiled) << compiled.error().message;
}

TEST_F(ErlcTest, UsesIncludesDefinesAndParseTransforms) {
  write("include/h.hrl", "-define(FROM_HEADER, 1).\n");
  const std::vector<std::string> files = {
      write("transform.erl",
            "-module(transform).\n-export([parse_transform/2]).\nparse_transform(Forms, _) -> Forms.\n"),
      write("m.erl",
            "-module(m).\n-compile({parse_transform, transform}).\n-include(\"h.hrl\").\n"
            "-export([f/0]).\nf() -> {?FROM_HEADER, ?VALUE, ?FLAG}.\n")};
  options_.include_folders = {folder() / "include"};
  options_.defines = {{"VALUE", "7"}, {"FLAG", ""}};
  const Result<CompiledFiles> compiled = compile_erlang(files, options_);
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ(fs::path(compiled->beams[1]).filename(), "m.beam");
}

TEST_F(ErlcTest, AnErrorIsWhatErlcSays) {
  const std::vector<std::string> files = {write("m.erl", "-module(m).\n-export([f/0]).\nf() -> X.\n")};
  const Result<CompiledFiles> compiled = compile_erlang(files, options_);
  ASSERT_FALSE(compiled);
  EXPECT_THAT(compiled.error().message, HasSubstr("m.erl:3:8: variable 'X' is unbound\n"));
}

TEST_F(ErlcTest, WarningsAreKept) {
  const std::vector<std::string> files = {write("m.erl", "-module(m).\nf() -> ok.\n")};
  const Result<CompiledFiles> compiled = compile_erlang(files, options_);
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_THAT(compiled->messages, HasSubstr("function f/0 is unused"));
}

TEST_F(ErlcTest, NamesThatLookLikeOptionsOrShellCodeAreNames) {
  const std::vector<std::string> files = {write("a b;$(x)/-o.erl", "-module('-o').\n")};
  const Result<CompiledFiles> compiled = compile_erlang(files, options_);
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_TRUE(fs::exists(folder() / "out" / "-o.beam"));
}

TEST_F(ErlcTest, AMissingFileOrProgramIsSaid) {
  const std::vector<std::string> none = {"/nonexistent/m.erl"};
  EXPECT_EQ(compile_erlang(none, options_).error().message,
            "/nonexistent/m.erl: no such file. Check its name.");
  const std::vector<std::string> files = {write("m.erl", "-module(m).\n")};
  options_.program = "/nonexistent/erlc";
  EXPECT_THAT(
      compile_erlang(files, options_).error().message,
      HasSubstr("/nonexistent/erlc: the program cannot be started: No such file or directory. It compiles"));
}

TEST(RunProgram, CollectsOutputAndStatus) {
  const std::vector<std::string> command = {"sh", "-c", "echo out; echo err >&2; cat; exit 3"};
  const Result<ProgramRun> run = run_program(command);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->output, "out\nerr\n");
  EXPECT_EQ(run->exit_status, 3);
}

TEST(RunProgram, TakesMoreOutputThanAPipeHolds) {
  const std::vector<std::string> command = {"sh", "-c", "head -c 1000000 /dev/zero"};
  EXPECT_EQ(run_program(command)->output.size(), 1000000u);
}

TEST(RunProgram, ASignalIsAStatusAbove128) {
  const std::vector<std::string> command = {"sh", "-c", "kill -9 $$"};
  EXPECT_EQ(run_program(command)->exit_status, 137);
}

}  // namespace
}  // namespace ravel::erlang
