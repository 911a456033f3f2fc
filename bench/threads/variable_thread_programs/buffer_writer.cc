// Writers put their letters into a buffer; a checker counts them and takes the writers to be done.
//
// expect: priority_changes=0 variables=0 threads=2 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kWriters = 3, kLetters = 4;
static std::mutex mutex;
static char buffer[kWriters * kLetters];
static int next_free = 0;

int main() {
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([writer] {
      for (int i = 0; i < kLetters; ++i) {
        const std::lock_guard<std::mutex> lock(mutex);
        buffer[next_free++] = static_cast<char>('a' + writer);
      }
    });
  }
  threads.emplace_back([] {
    const std::lock_guard<std::mutex> lock(mutex);
    int letters[kWriters] = {};
    for (int i = 0; i < next_free; ++i) ++letters[buffer[i] - 'a'];
    for (const int count : letters) assert(count == kLetters);
  });
  for (std::thread& thread : threads) thread.join();
}
