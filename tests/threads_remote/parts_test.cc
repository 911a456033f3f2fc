// Reduction of random programs of threads in parts, against one process. THREADS_PARTS_PROGRAMS=N tries N
// programs of each family.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "tests/toy/reduction_in_parts.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {
namespace {

constexpr std::uint64_t kTracesMax = 300;

// What threads do, by the letters of random_operations.cc.
struct Family {
  const char* name;
  const char* kinds;
  int threads, operations;
  bool has_loops = false;
};

class ThreadsParts : public testing::TestWithParam<Family> {
 protected:
  static void SetUpTestSuite() {
    // Tests run side by side, each in a process of its own.
    program = testing::TempDir() + "random_operations." + std::to_string(getpid());
    const std::string source = RAVEL_SOURCE_DIR "/tests/threads_remote/programs/random_operations.cc";
    ASSERT_EQ(std::system((RAVEL_WRAPPER " -std=c++20 -O1 " + source + " -o " + program).c_str()), 0);
  }
  static void TearDownTestSuite() { std::remove(program.c_str()); }

  static inline std::string program;
};

TEST_P(ThreadsParts, RunEachTraceOnce) {
  const Family family = GetParam();
  const std::uint64_t programs = in_parts::programs_of("THREADS_PARTS_PROGRAMS", 6);
  std::uint64_t compared = 0, parts = 0;
  for (std::uint64_t seed = 0; seed < programs && !HasFailure(); ++seed) {
    const std::vector<std::string> arguments = {std::to_string(seed), std::to_string(family.threads),
                                                std::to_string(family.operations), family.kinds};
    SCOPED_TRACE("random_operations " + arguments[0] + " " + arguments[1] + " " + arguments[2] + " " +
                 arguments[3]);
    Configuration configuration{.accesses = AccessOperations::kSync, .tracked = {}};
    if (family.has_loops) configuration = {.is_fair = false, .tracked = {}};
    const auto system = RemoteSystem::start({.path = program, .arguments = arguments}, configuration);
    ASSERT_TRUE(system.ok());
    const auto of_program = in_parts::compare(**system, seed, kTracesMax);
    compared += of_program ? 1 : 0;
    parts += of_program.value_or(0);
  }
  EXPECT_GT(compared, programs / 3);
  EXPECT_GT(parts, 2 * compared);
}

INSTANTIATE_TEST_SUITE_P(
    Families, ThreadsParts,
    testing::Values(Family{.name = "variables", .kinds = "rwal", .threads = 3, .operations = 2},
                    Family{.name = "tried_locks", .kinds = "ltxr", .threads = 2, .operations = 3},
                    Family{.name = "semaphores", .kinds = "sla", .threads = 2, .operations = 3},
                    Family{.name = "conditions", .kinds = "lc", .threads = 2, .operations = 4},
                    Family{.name = "choices", .kinds = "mer", .threads = 2, .operations = 3},
                    Family{
                        .name = "loops", .kinds = "wvya", .threads = 2, .operations = 3, .has_loops = true}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace ravel::threads
