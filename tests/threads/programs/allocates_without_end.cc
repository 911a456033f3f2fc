// A program that allocates without end is told as that, before it has taken the machine's memory; so is one that frees its blocks, since they are not
// used again within an execution. A large block that is not filled takes nothing.
//
// address-space: 4096
// expect: says "in P.1" bug out_of_memory -t in_a_thread
// expect: bug out_of_memory -t frees
// expect: pass -t large_and_empty

#include <ravel/test.h>

#include <cassert>
#include <cstdlib>
#include <list>
#include <thread>
#include <vector>

RAVEL_TEST(in_a_thread) {
  std::thread([] {
    std::list<std::vector<char>> list;
    while (true) list.emplace_back(1 << 20);
  }).join();
}

RAVEL_TEST(frees) {
  static void* volatile block;  // or the compiler leaves both calls out
  while (true) block = std::malloc(1 << 20), std::free(block);
}

RAVEL_TEST(large_and_empty) {
  auto* const bytes = static_cast<char*>(std::malloc(std::size_t{2} << 30));
  assert(bytes != nullptr);
  std::thread([bytes] { bytes[std::size_t{1} << 30] = 1; }).join();
  assert(bytes[std::size_t{1} << 30] == 1 && bytes[0] == 0);
}
