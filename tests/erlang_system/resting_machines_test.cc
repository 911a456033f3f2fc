// A test that runs on a machine which an earlier test has left is the same as on a new one: its steps and
// footprints, the fingerprints of its states (which are made of all indices of names), what it prints, and
// how it ends.

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "erlang/system/run_program.h"
#include "erlang/system/temporary_folder.h"
#include "tests/erlang_system/ways.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {
namespace {

constexpr std::size_t kStepsMax = 200;
const std::vector<std::string> kTests = {"look", "load",    "name",  "spawn",     "crash",
                                         "halt", "refused", "share", "configure", "decode"};

Seen run_test(Program& program, const std::string& test, const Way& way, std::uint64_t seed) {
  const auto system = start_program(program, "neighbours:" + test + "_test", way);
  return run(*system, way, seed, kStepsMax);
}

class RestingMachines : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_erl_installed()) GTEST_SKIP() << "no Erlang/OTP is installed here to compile the program";
    auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder.ok());
    folder_ = std::make_unique<TemporaryFolder>(std::move(*folder));
    const std::string source = project_file("tests/erlang_system/programs/neighbours.erl");
    const auto compiled = run_program(std::vector<std::string>{"erlc", "-o", folder_->path(), source});
    ASSERT_TRUE(compiled.ok() && compiled->exit_status == 0);
    file_ = folder_->path() + "/neighbours.beam";
  }
  std::unique_ptr<TemporaryFolder> folder_;
  std::string file_;
};

TEST_F(RestingMachines, a_test_cannot_tell_which_tests_came_before_it) {
  const std::vector<Way> ways = all_ways();
  for (const Way& way : {ways.front(), ways.back()}) {
    std::map<std::string, Seen> alone;
    for (const std::string& test : kTests) alone[test] = run_test(*open_program({file_}), test, way, 1);
    EXPECT_EQ(alone["look"].outcome, "finished");
    EXPECT_NE(alone["look"].output, "");
    const auto program = open_program({file_});
    for (const std::string& before : kTests) {
      const std::string after = difference(alone[before], run_test(*program, before, way, 1));
      EXPECT_EQ(after, "") << before << ", " << way.name;
      const std::string looks = difference(alone["look"], run_test(*program, "look", way, 1));
      EXPECT_EQ(looks, "") << "after " << before << ", " << way.name;
    }
  }
}

TEST_F(RestingMachines, a_machine_serves_tests_with_other_options_of_time_but_not_of_code) {
  const auto program = open_program({file_});
  const Machine* first = &start_program(*program, "neighbours:load_test")->machine();
  MachineOptions options;
  options.time = TimePolicy::kDeadlines;
  EXPECT_EQ(&start_program(*program, "neighbours:load_test", {}, options)->machine(), first);
  options.clocks = Clocks::kVirtual;
  const auto other = start_program(*program, "neighbours:load_test", {}, options);
  EXPECT_NE(&other->machine(), first);
  EXPECT_EQ(other->machine().options.clocks, Clocks::kVirtual);
}

TEST_F(RestingMachines, two_tests_at_the_same_time_have_two_machines) {
  const auto program = open_program({file_});
  const auto one = start_program(*program, "neighbours:name_test");
  const auto other = start_program(*program, "neighbours:look_test");
  EXPECT_NE(&one->machine(), &other->machine());
  EXPECT_EQ(difference(run(*other, {}, 1, kStepsMax), run_test(*open_program({file_}), "look", {}, 1)), "");
}

}  // namespace
}  // namespace ravel::erlang
