// Address space under a limit on it, in a process of its own.
#include "base/reserve.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

namespace ravel {
namespace {

constexpr std::size_t kWanted = std::size_t{32} << 30, kLimit = std::size_t{8} << 30;

template <class Body>
int under_limit(Body body) {
#ifdef __SANITIZE_ADDRESS__
  return 0;  // which needs more address space itself
#endif
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{.rlim_cur = kLimit, .rlim_max = kLimit};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(9);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(Reserve, PlacesThatAreGivenBackAreUsedAgain) {
  EXPECT_EQ(under_limit([] {
              for (int i = 0; i < 10'000; ++i) release(reserve(kWanted).address, kWanted);
              return true;
            }),
            0);
}

TEST(Reserve, SomethingIsLeftForTheAllocatorHoweverManyAreasThereAre) {
  EXPECT_EQ(under_limit([] {
              std::vector<Reserved> areas;
              for (int i = 0; i < 10; ++i) areas.push_back(reserve(kWanted));
              void* const block = std::malloc(std::size_t{64} << 20);
              return block != nullptr && areas.front().bytes > areas.back().bytes;
            }),
            0);
}

}  // namespace
}  // namespace ravel
