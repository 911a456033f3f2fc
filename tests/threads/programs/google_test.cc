// Tests of Google Test, which knows nothing of Ravel.
// compile: -lgtest -lgtest_main
// expect: bug assertion -t Counter.LosesAnUpdate
// expect: pass -t Counter.HoldsTheLock
// expect: bug assertion -t Counter.FailsInAThread
// expect: bug uncaught_exception -t Counter.Throws
// expect: bug exit_status -t Counter.Exits
// expect: bug assertion -t Counter.LosesAnUpdate --isolate
// expect: bug deadlock -t Fixture.Deadlocks
// expect: pass -t Fixture.ExpectsAFailure
// expect: pass -t Numbers/Parameters.AreSmall/0
// expect: bug assertion -t Numbers/Parameters.AreSmall/1
// expect: bug assertion -t Counter.DISABLED_Fails
// expect: refused -t Death.Forks
// expect: error -t Counter.NoSuchTest
// expect: error -t NoSuchSuite
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

int counter = 0;
std::mutex mutex;

TEST(Counter, LosesAnUpdate) {
  std::thread thread([] { counter = counter + 1; });
  counter = counter + 1;
  thread.join();
  EXPECT_EQ(counter, 2) << "one for each thread";
}

TEST(Counter, HoldsTheLock) {
  const auto add = [] {
    std::lock_guard lock(mutex);
    ++counter;
  };
  std::thread thread(add);
  add();
  thread.join();
  ASSERT_EQ(counter, 2);
}

TEST(Counter, FailsInAThread) {
  std::atomic<int> value = 0;
  std::thread thread([&] { EXPECT_TRUE(value == 0); });
  value = 1;
  thread.join();
}

TEST(Counter, Throws) {
  std::atomic<int> value = 0;
  std::thread thread([&] { value = 1; });
  if (value == 1) throw std::runtime_error("nobody catches this");
  thread.join();
}

TEST(Counter, Exits) { std::exit(5); }

TEST(Counter, DISABLED_Fails) { FAIL(); }

class Fixture : public testing::Test {
 protected:
  void SetUp() override { thread = std::thread([this] { std::scoped_lock both(first, second); }); }
  void TearDown() override { thread.join(); }

  std::mutex first, second;
  std::thread thread;
};

TEST_F(Fixture, Deadlocks) {
  std::lock_guard one(second);
  thread.join();
  thread = std::thread([] {});
}

TEST_F(Fixture, ExpectsAFailure) { EXPECT_NONFATAL_FAILURE(EXPECT_EQ(1, 2), "1"); }

class Parameters : public testing::TestWithParam<int> {};
TEST_P(Parameters, AreSmall) { EXPECT_LT(GetParam(), 4); }
INSTANTIATE_TEST_SUITE_P(Numbers, Parameters, testing::Values(3, 4));

TEST(Death, Forks) { EXPECT_DEATH(std::abort(), ""); }

}  // namespace
