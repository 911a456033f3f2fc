// How many processors this process may use.

#include "base/cores.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace ravel {
namespace {

TEST(Cores, OfAQuotaAreRoundedUp) {
  EXPECT_EQ(cores_of_quota("200000 100000"), 2u);
  EXPECT_EQ(cores_of_quota("150000 100000\n"), 2u);
  EXPECT_EQ(cores_of_quota("1000 100000"), 1u);
  EXPECT_EQ(cores_of_quota("max 100000"), 0u);
  EXPECT_EQ(cores_of_quota("100000 0"), 0u);
  EXPECT_EQ(cores_of_quota(""), 0u);
}

TEST(Cores, AreThoseThatTheProcessMayRunOn) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_GE(cores_to_use(), 1u);
  EXPECT_LE(cores_to_use(), static_cast<std::uint32_t>(CPU_COUNT(&all)));
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  // In a thread of its own, which alone is bound.
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(cores_to_use(), 1u);
  }).join();
}

TEST(Cores, TimeOfTheProcessorGrowsWithWork) {
  const double before = processor_seconds();
  volatile int work = 0;
  while (processor_seconds() == before) work = work + 1;
  EXPECT_GT(processor_seconds(), before);
}

}  // namespace
}  // namespace ravel
