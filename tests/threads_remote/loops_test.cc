// What loops that wait have to do with others is known beyond a turn, and beyond an interruption: each half
// of a reason for fairness may be of another run.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "threads/remote/remote_system.h"

namespace ravel::threads {
namespace {

constexpr const char kTriesLock[] = R"(#include <mutex>
#include <thread>
static std::mutex mutex;
static void attempt() { for (int i = 0; i < 3; ++i) if (mutex.try_lock()) mutex.unlock(); }
int main() { std::thread one(attempt), two(attempt), three(attempt); one.join(), two.join(), three.join(); }
)";

class Loops : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(program_ + ".cc") << kTriesLock;
    const std::string command = RAVEL_WRAPPER " -std=c++20 -O1 " + program_ + ".cc -o " + program_;
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  void TearDown() override {
    std::remove(program_.c_str());
    std::remove((program_ + ".cc").c_str());
  }

  // In a process of its own. `known`: of earlier runs.
  Searched search(const std::string& strategy, const std::string& in_turns_with,
                  const LoopUses& known) const {
    auto system = RemoteSystem::start({.path = program_, .arguments = {}}, {.tracked = {}});
    EXPECT_TRUE(system.ok());
    SearchOrder order;
    order.loops = known;
    order.request.strategy = strategy;
    order.request.in_turns_with = in_turns_with;
    order.request.limits.events_max = 1'000;
    order.request.limits.executions = 20'000;  // more than the first turn has
    auto searched = (*system)->search(order, {.on_progress = [](const Counts&) {},
                                              .on_kept = [](const Searched&) {},
                                              .is_interrupted = [] { return false; }});
    EXPECT_TRUE(searched.ok());
    return std::move(*searched);
  }

  const std::string program_ = testing::TempDir() + "loops." + std::to_string(getpid());
};

TEST_F(Loops, AreRemembered) {
  const Searched alone = search("dpor", "", {});
  EXPECT_FALSE(alone.is_fair);
  ASSERT_EQ(alone.loops.locks_tried.size(), 1);
  EXPECT_TRUE(alone.loops.locks_of_loops.empty());
  // Before, a loop has locked what is tried here.
  const LoopUses known{.locks_of_loops = alone.loops.locks_tried};
  EXPECT_TRUE(search("dpor", "", known).is_fair);
  const Searched in_turns = search("preemption", "dpor", known);
  EXPECT_EQ(in_turns.loops.locks_of_loops, known.locks_of_loops);
  EXPECT_EQ(in_turns.loops.locks_of_loops, known.locks_of_loops);
  EXPECT_EQ(in_turns.loops.locks_tried, known.locks_of_loops);
}

TEST_F(Loops, OfAnotherLockAreNoReason) {
  const Searched alone = search("dpor", "", {});
  const LoopUses known{.locks_of_loops = {alone.loops.locks_tried.front() + 64}};
  const Searched again = search("dpor", "", known);
  EXPECT_FALSE(again.is_fair);
  EXPECT_EQ(again.loops.locks_of_loops, known.locks_of_loops);
}

}  // namespace
}  // namespace ravel::threads
