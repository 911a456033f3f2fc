// Reduction of random programs of P in parts, against one process. P_PARTS_PROGRAMS=N tries N programs.

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/random.h"
#include "tests/p_system/random_programs.h"
#include "tests/p_system/run.h"
#include "tests/toy/reduction_in_parts.h"

namespace ravel::p {
namespace {

constexpr std::uint64_t kTracesMax = 4'000;

void compare(std::string (*random_text)(Random&), std::uint64_t usual, const POptions& options = {}) {
  const std::uint64_t programs = in_parts::programs_of("P_PARTS_PROGRAMS", usual);
  std::uint64_t compared = 0, parts = 0;
  for (std::uint64_t seed = 1; seed <= programs && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const std::string text = random_text(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Opened program = opened(text, "t", options);
    const auto of_program = in_parts::compare(*program.system, seed, kTracesMax);
    compared += of_program ? 1 : 0;
    parts += of_program.value_or(0);
  }
  EXPECT_GT(compared, programs / 2);
  EXPECT_GT(parts, 2 * compared);
}

TEST(PParts, OfRandomProgramsRunEachTraceOnce) { compare(random_program, 100); }
// By the model of the program itself most executions have no end.
TEST(PParts, OfRandomProgramsWithTimersRunEachTraceOnce) {
  compare(random_program_with_timers, 20, {.timers = TimersFire::kAnyTime});
}

}  // namespace
}  // namespace ravel::p
