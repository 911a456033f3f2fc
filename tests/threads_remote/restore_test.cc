// Many executions in one process give byte for byte what the same schedules give in fresh processes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "base/hash.h"
#include "base/random.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {
namespace {

// Everything that can be seen of one execution.
struct Seen {
  std::string steps;
  std::string output;
  std::string end;

  friend bool operator==(const Seen&, const Seen&) = default;
  friend void PrintTo(const Seen& seen, std::ostream* out) { *out << seen.steps << seen.output << seen.end; }
};

enum class Inspects : std::uint8_t { kNo, kYes };  // after each step

Seen run(RemoteSystem& system, std::uint64_t seed, Inspects inspects = Inspects::kNo) {
  Random random(seed);
  Seen seen;
  system.reset();
  if (inspects == Inspects::kYes) system.inspect();
  for (int events = 0; system.outcome() == Outcome::kRunning && events < 1000; ++events) {
    const auto enabled = system.enabled();
    for (const Transition& transition : enabled)
      seen.steps += system.actor_name(transition.actor).to_string() + "/" +
                    std::to_string(transition.alternative) + " ";
    const Event event = system.step(enabled[random.below(enabled.size())]);
    seen.steps += "| " + system.actor_name(event.actor).to_string() + ":";
    for (const Touch& touch : event.footprint)
      seen.steps += " " + std::to_string(touch.object) + "." + std::to_string(static_cast<int>(touch.access));
    seen.steps += "\n";
    if (inspects == Inspects::kYes) system.inspect();
  }
  seen.output = system.output_so_far();
  seen.end = std::to_string(static_cast<int>(system.outcome()));
  if (system.outcome() == Outcome::kBug) seen.end += " " + system.bug().kind + " " + system.bug().message;
  return seen;
}

// Programs of the folder `programs`, by name.
class Restore : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    // Tests run side by side, each in a process of its own.
    program_ = testing::TempDir() + GetParam() + "." + std::to_string(getpid());
    const std::string source =
        std::string(RAVEL_SOURCE_DIR "/tests/threads_remote/programs/") + GetParam() + ".cc";
    ASSERT_EQ(std::system((RAVEL_WRAPPER " " + source + " -o " + program_).c_str()), 0);
  }
  void TearDown() override { std::remove(program_.c_str()); }
  std::unique_ptr<RemoteSystem> start() const {
    auto system = RemoteSystem::start({.path = program_, .arguments = {}},
                                      {.accesses = AccessOperations::kSync, .tracked = {}});
    EXPECT_TRUE(system.ok());
    return std::move(*system);
  }

 private:
  std::string program_;
};

INSTANTIATE_TEST_SUITE_P(Programs, Restore, testing::Values("memory_walk", "process_walk"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(Restore, TenThousandExecutionsInOneProcessAreWhatFreshProcessesRun) {
  constexpr std::uint64_t kExecutions = 10'000, kEach = 100;
  const auto old = start();
  std::set<std::string> ends, outputs;
  for (std::uint64_t seed = 1; seed <= kExecutions; ++seed) {
    const Seen seen = run(*old, seed);
    ends.insert(seen.end);
    outputs.insert(seen.output);
    if (seed % kEach != 0) continue;
    const auto fresh = start();
    ASSERT_EQ(run(*fresh, seed), seen) << "execution " << seed;
  }
  // Otherwise the test would show little.
  EXPECT_GE(ends.size(), 3u);
  EXPECT_GE(outputs.size(), 50u);
}

TEST_P(Restore, InspectingAfterEachStepChangesNothing) {
  const auto plain = start(), inspected = start();
  for (const Descriptions descriptions : {Descriptions::kOff, Descriptions::kOn}) {
    plain->set_descriptions(descriptions);
    inspected->set_descriptions(descriptions);
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
      ASSERT_EQ(run(*inspected, seed, Inspects::kYes), run(*plain, seed)) << "execution " << seed;
  }
}

TEST_P(Restore, TheSameScheduleGivesTheSameWhateverCameBefore) {
  const auto system = start();
  const Seen first = run(*system, 1);
  for (std::uint64_t seed = 2; seed < 500; ++seed) {
    run(*system, seed);
    ASSERT_EQ(run(*system, 1), first) << "after execution " << seed;
  }
}

}  // namespace
}  // namespace ravel::threads
