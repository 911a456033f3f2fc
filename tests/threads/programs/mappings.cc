// Memory that a program maps itself is there anew, at the same addresses, in each execution; so is what was mapped before main().
//
// expect: pass
// expect: executions=3000 pass --strategy random --budget 3000x
// expect: bug crash -- unmapped
#include <sys/mman.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <thread>

static constexpr std::size_t kSize = 1 << 24;

static char* map(std::size_t size) {
  void* const block = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(block != MAP_FAILED);
  return static_cast<char*>(block);
}

static char* const before_main = map(100'000);
static std::atomic<int> turns{0};

int main(int argc, char**) {
  for (int i = 0; i < 100'000; ++i) assert(before_main[i] == 0);
  char* const first = map(kSize);
  char* const second = map(1);
  // The address itself decides what follows, so that another one would be another execution.
  if ((reinterpret_cast<std::uintptr_t>(first) >> 12 & 1) != 0) ++turns;
  assert(first[0] == 0 && first[kSize - 1] == 0 && second[4095] == 0);
  std::memset(first, 1, kSize / 256);
  std::thread thread([&] {
    ++turns;
    before_main[turns * 1000] = 1;
    map(4096)[7] = 7;
  });
  ++turns;
  second[0] = 2;
  thread.join();
  void* const grown = mremap(second, 4096, 1 << 20, MREMAP_MAYMOVE);
  assert(grown != MAP_FAILED && static_cast<char*>(grown)[0] == 2 && static_cast<char*>(grown)[(1 << 20) - 1] == 0);
  munmap(first, kSize);
  if (argc > 1) first[0] = 1;
}
