// A program that shows as much of its memory as it can: whatever is left over from an earlier execution would change
// what it prints. It fails in some schedules, in several ways, so that executions are given up in the middle.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int counter = 0;
static int zeroed[4096];
static std::string text = "a global string that is long enough for the heap";
static std::vector<int>* before_main = new std::vector<int>(1000, 7);
static std::mutex mutex;
static std::atomic<int> turns{0};
static thread_local int own = 11;
static thread_local std::string own_text = "of each thread, and not short";

static long checksum() {
  long sum = counter + turns.load(std::memory_order_relaxed);
  for (const int value : zeroed) sum = sum * 31 + value;
  for (const int value : *before_main) sum = sum * 31 + value;
  for (const char c : text) sum = sum * 31 + c;
  return sum;
}

static void work(int number) {
  auto block = std::make_unique<int[]>(100 + number);
  own += number;
  own_text += std::to_string(number);
  try {
    if (turns++ == number) throw std::runtime_error("a turn of its own");
  } catch (const std::runtime_error& error) {
    text += error.what();
  }
  std::lock_guard<std::mutex> lock(mutex);
  const int seen = counter;
  counter = seen + 1;
  zeroed[counter] = number;
  (*before_main)[static_cast<std::size_t>(counter)] = number + own;
  std::printf("%d %p %p %d %ld %s\n", number, static_cast<void*>(block.get()), static_cast<void*>(&block), rand(),
              checksum(), own_text.c_str());
  if (counter == 3) std::free(std::malloc(100));
}

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 256);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work, i);
  const int early = turns;
  for (std::thread& thread : threads) thread.join();
  std::printf("end %ld %d\n", checksum(), rand());
  assert(early != 2);
  if (early == 3) std::abort();
}
