// Enabled transitions come in the order of the actors' logical names, timers among the processes.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/random.h"
#include "erlang/system/erlang_system.h"
#include "erlang/system/program.h"

namespace ravel::erlang {
namespace {

// Three generations; each process makes children and timers in turn.
constexpr char kFamily[] = R"(-module(family).
-export([start/0]).
start() -> grow(3).
grow(0) -> timers(1);
grow(N) ->
    spawn(fun() -> grow(N - 1) end),
    timers(2),
    spawn(fun() -> grow(N - 1) end),
    timers(1),
    receive never -> ok after 0 -> ok end.
timers(N) -> [erlang:start_timer(1000, self(), ring) || _ <- lists:seq(1, N)].
)";

TEST(EnabledOrder, IsThatOfTheNamesWhoeverMoves) {
  const std::string file = testing::TempDir() + "family.erl";
  std::ofstream(file) << kFamily;
  const auto program =
      Program::open({.files = {file}, .include_folders = {}, .code_folders = {}, .defines = {}});
  ASSERT_TRUE(program) << program.error().message;
  const auto system = ErlangSystem::start(**program, {.module = "family", .function = "start"}, {});
  ASSERT_TRUE(system) << system.error().message;
  std::set<std::string> seen;
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    (*system)->reset();
    while ((*system)->outcome() == Outcome::kRunning) {
      const auto enabled = (*system)->enabled();
      std::vector<ActorName> names;
      for (const Transition& t : enabled) names.push_back((*system)->actor_name(t.actor));
      ASSERT_TRUE(std::ranges::is_sorted(names)) << "seed " << seed;
      for (const ActorName& name : names) seen.insert(name.to_string());
      most = std::max(most, enabled.size());
      const Transition chosen = enabled[random.below(enabled.size())];
      (*system)->step(chosen);
    }
    EXPECT_EQ((*system)->outcome(), Outcome::kFinished);
  }
  EXPECT_TRUE(seen.contains("P.1.1.t1") && seen.contains("P.1.t2") && seen.contains("P.t3"));
  EXPECT_GT(most, 10U);
}

}  // namespace
}  // namespace ravel::erlang
