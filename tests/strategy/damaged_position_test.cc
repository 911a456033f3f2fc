// A position of optimal reduction that is damaged inside is not taken, or what goes on from it is a search
// that ends.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "engine/explorer.h"
#include "engine/position.h"
#include "strategy/optimal_reduction/optimal_reduction.h"
#include "tests/toy/message_system.h"

namespace ravel {
namespace {

using toy::Act;
using toy::MessageProgram;
using toy::MessageSystem;

Limits limits(std::uint64_t executions) {
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  limits.executions = executions;
  return limits;
}

// Nothing: the search was complete before.
std::optional<std::string> position_after(const MessageProgram& program, std::uint64_t executions,
                                          std::size_t share_above) {
  MessageSystem system(program);
  const auto strategy = make_optimal_reduction({.limits = {.share_above = share_above}});
  SteadyClock clock;
  return Explorer(system, *strategy, limits(executions), clock).run().position;
}

std::string damage(std::string bytes, Random& random) {
  const auto place = [&] { return static_cast<std::size_t>(random.below(bytes.size())); };
  for (std::uint64_t times = 1 + random.below(3); times > 0 && !bytes.empty(); --times) {
    switch (random.below(6)) {
      case 0: bytes[place()] ^= static_cast<char>(1 << random.below(8)); break;
      case 1: bytes[place()] = static_cast<char>(random.below(8)); break;
      case 2: bytes.resize(place()); break;
      case 3: bytes.insert(place(), 1, static_cast<char>(random.below(256))); break;
      case 4: bytes.erase(place(), 1 + random.below(4)); break;
      case 5: std::swap(bytes[place()], bytes[place()]); break;
    }
  }
  return bytes;
}

TEST(DamagedPosition, IsRefusedOrLeadsToASearchThatWorks) {
  const std::vector<std::vector<Act>> alphabets = {{Act::kRead, Act::kWrite, Act::kAdd},
                                                   {Act::kSend, Act::kReceive, Act::kReceiveOr},
                                                   {Act::kKill, Act::kAdd, Act::kSend, Act::kReceive},
                                                   {Act::kSpawn, Act::kSend, Act::kReceive, Act::kAdd}};
  int refused = 0, taken = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const std::vector<Act>& acts : alphabets) {
      Random random(seed);
      const MessageProgram program = toy::random_message_program(random, acts, 3, 3);
      const auto position =
          position_after(program, 1 + random.below(12), seed % 2 == 0 ? TreeLimits().share_above : 0);
      if (!position) continue;
      for (int i = 0; i < 40; ++i) {
        const std::string damaged = damage(*position, random);
        if (damaged == *position) continue;
        SCOPED_TRACE("seed " + std::to_string(seed) + ", damage " + std::to_string(i) + "\n" +
                     to_string(program));
        MessageSystem system(program);
        const auto strategy = make_optimal_reduction();
        PositionReader reader(damaged);
        Trials trials(system);
        if (!strategy->read_position(reader, trials) || !reader.is_complete()) {
          ++refused;
          continue;
        }
        ++taken;
        SteadyClock clock;
        const Exploration explored = Explorer(system, *strategy, limits(500), clock).run();
        EXPECT_TRUE(explored.stop == Stop::kComplete || explored.stop == Stop::kExecutionBudget);
      }
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(taken, 20);
  RecordProperty("refused", refused);
  RecordProperty("taken", taken);
}

}  // namespace
}  // namespace ravel
