// Programs of C and C++ keep the contract of a System: threads with random operations, of a few kinds each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/contract/contract.h"
#include "threads/remote/remote_system.h"

namespace ravel::contract {
namespace {

class ThreadsContract : public testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    // Tests run side by side, each in a process of its own.
    program = testing::TempDir() + "contract_operations." + std::to_string(getpid());
    const std::string source = RAVEL_SOURCE_DIR "/tests/threads_remote/programs/random_operations.cc";
    ASSERT_EQ(std::system((RAVEL_WRAPPER " -std=c++20 -O1 " + source + " -o " + program).c_str()), 0);
  }
  static void TearDownTestSuite() { std::remove(program.c_str()); }

  inline static std::string program;
};

TEST_P(ThreadsContract, IsKept) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    threads::ProgramCall call;
    call.path = program;
    call.arguments = {std::to_string(seed), "3", "3", GetParam()};
    SCOPED_TRACE("random_operations " + call.arguments[0] + " 3 3 " + GetParam());
    // A thread that stands back for others does so as no footprint tells.
    const auto system = threads::RemoteSystem::start(call, {.is_fair = false, .tracked = {}});
    ASSERT_TRUE(system.ok()) << system.error().message;
    EXPECT_THAT(broken_promises(**system, {.seed = seed, .executions = 5}), testing::IsEmpty());
  }
}

// Variables, mutexes, semaphores, condition variables, read-write locks: see the program.
INSTANTIATE_TEST_SUITE_P(Kinds, ThreadsContract, testing::Values("zzra", "lizn", "jsz", "lozc", "lijozn"),
                         [](const auto& kinds) { return std::string(kinds.param); });

}  // namespace
}  // namespace ravel::contract
