// A front end that the command line knows by its row only: tests/cli/toy_front_end.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "cli/command_line.h"
#include "cli/front_ends.h"
#include "tests/cli/toy_front_end.h"
#include "tests/strategy/made_up_strategy.h"

namespace ravel {
namespace {

using testing::HasSubstr;
using testing::Not;

class ThirdFrontEnd : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ravel_third_XXXXXX";
    folder_ = mkdtemp(name);
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
    // The assertion fails if nobody has given before.
    std::ofstream("race.toy") << "spawn1 require0\ngive0\n";
    std::ofstream("writes.toy") << "spawn1 write0\nwrite0\n";
    std::ofstream("fine.toy") << "spawn1 take0 require1\ngive1 give0\n";
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  struct Run {
    int status;
    std::string out, err;
  };
  Run run(std::vector<const char*> arguments) {
    std::vector<const FrontEnd*> rows = {&toy::toy_front_end()};
    rows.insert(rows.end(), front_ends().rows().begin(), front_ends().rows().end());
    arguments.insert(arguments.begin(), "ravel");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status =
        run_command_line(FrontEnds(rows), static_cast<int>(arguments.size()), arguments.data());
    std::string out = testing::internal::GetCapturedStdout();
    return {.status = status, .out = std::move(out), .err = testing::internal::GetCapturedStderr()};
  }
  std::string ticket() const {
    for (const auto& entry : std::filesystem::directory_iterator("ravel-tickets"))
      return entry.path().string();
    return "";
  }

 private:
  std::filesystem::path folder_, before_;
};

TEST_F(ThirdFrontEnd, check_finds_a_bug_and_replay_shows_it_again) {
  const Run found = run({"check", "race.toy"});
  EXPECT_EQ(found.status, 1) << found.err;
  EXPECT_THAT(found.out, HasSubstr("assertion"));
  const std::string saved = ticket();
  const Run replayed = run({"replay", saved.c_str()});
  EXPECT_EQ(replayed.status, 1) << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("The bug still happens"));
  const Run passed = run({"check", "fine.toy"});
  EXPECT_EQ(passed.status, 0) << passed.out << passed.err;
  EXPECT_THAT(passed.out, HasSubstr("No bug"));
}

TEST_F(ThirdFrontEnd, trace_races_and_tests_know_it) {
  const Run shown = run({"trace", "writes.toy", "--out", "trace.json"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("writes.toy"));
  const Run races = run({"races", "trace.json"});
  EXPECT_EQ(races.status, 0) << races.err;
  EXPECT_THAT(races.out, HasSubstr("variant 1"));
  const Run after = run({"check", "--trace", "trace.json"});
  EXPECT_THAT(after.out, HasSubstr("Every execution contains"));
  EXPECT_EQ(run({"tests", "race.toy"}).out, "race.toy\n");
}

TEST_F(ThirdFrontEnd, its_option_is_in_the_help_and_is_refused_for_others) {
  EXPECT_THAT(run({"check", "--help"}).out, HasSubstr("--end-early"));
  EXPECT_EQ(run({"check", "race.toy", "--end-early"}).status, 0);
  std::ofstream("m.erl") << "-module(m).\n-export([t/0]).\nt() -> ok.\n";
  const Run refused = run({"check", "m.erl", "-t", "m:t", "--end-early"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--end-early is for toy programs, and this is one of Erlang or Elixir"));
  EXPECT_THAT(run({"check", "race.toy", "--accesses", "all"}).err,
              HasSubstr("--accesses is for programs of C and C++"));
}

TEST_F(ThirdFrontEnd, a_strategy_with_an_option_of_its_own_is_known_by_its_row) {
  add_strategy(made_up_strategy());
  const std::string help = run({"check", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("--levels N"));
  EXPECT_THAT(help, HasSubstr("breadth"));
  const Run found = run({"check", "race.toy", "--strategy", "breadth", "--levels", "9"});
  EXPECT_EQ(found.status, 1) << found.err;
  const Run passed = run({"check", "fine.toy", "--strategy", "breadth"});
  EXPECT_EQ(passed.status, 0) << passed.err;
  EXPECT_THAT(passed.out, HasSubstr("No bug in the only state."));
  // Of an option that is given twice the last one counts: one step does not lead to the bug.
  EXPECT_EQ(run({"check", "race.toy", "--strategy", "breadth", "--levels", "9", "--levels", "1"}).status, 0);
  const Run refused = run({"check", "fine.toy", "--strategy", "dfs", "--levels", "9"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--levels is for --strategy breadth; the strategy here is dfs."));
}

TEST_F(ThirdFrontEnd, a_search_from_kept_states_is_drawn_where_it_goes_on) {
  add_strategy(made_up_strategy());
  EXPECT_EQ(run({"check", "race.toy", "-k", "--strategy", "breadth", "--graph", "breadth.dot"}).status, 1);
  std::ifstream file("breadth.dot");
  const std::string drawn(std::istreambuf_iterator<char>(file), {});
  // Only the first step is one from the start.
  EXPECT_EQ(drawn.find("t1_start -> "), drawn.rfind("t1_start -> "));
  EXPECT_THAT(drawn, HasSubstr("    t10 -> t11;\n"));
}

TEST_F(ThirdFrontEnd, bad_programs_are_one_error) {
  std::ofstream("bad.toy") << "fly0\n";
  const Run refused = run({"check", "bad.toy"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("'fly0' is no operation"));
  EXPECT_THAT(refused.out, Not(HasSubstr("No bug")));
}

}  // namespace
}  // namespace ravel
