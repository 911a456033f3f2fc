// The users of a manager of memory give their blocks back. Releasing one reads how many are free in one critical section and writes it in another.
//
// expect: priority_changes=1 variables=1 threads=2 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kUsers = 5;
static std::mutex mutex;
static int free_blocks = 0;

static void release() {
  int now;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    now = free_blocks;
  }
  const std::lock_guard<std::mutex> lock(mutex);
  free_blocks = now + 1;
}

int main() {
  std::vector<std::thread> users;
  for (int i = 0; i < kUsers; ++i)
    users.emplace_back(release);
  for (std::thread& user : users) user.join();
  assert(free_blocks == kUsers);
}
