// Travellers are put on a plane with few seats and taken off it: who finds no seat, or nobody to take off, waits, and
// looks only once.
//
// expect: priority_changes=1 variables=1 threads=8 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kSeats = 2, kPairs = 4;
static std::mutex mutex;
static std::condition_variable has_seat, has_traveller;
static int seated = 0;

static void fill() {
  std::unique_lock<std::mutex> lock(mutex);
  if (seated == kSeats) has_seat.wait(lock);
  ++seated;
  assert(seated <= kSeats);
  has_traveller.notify_one();
}

static void empty() {
  std::unique_lock<std::mutex> lock(mutex);
  if (seated == 0) has_traveller.wait(lock);
  --seated;
  assert(seated >= 0);
  has_seat.notify_one();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kPairs; ++i) {
    threads.emplace_back(fill);
    threads.emplace_back(empty);
  }
  for (std::thread& thread : threads) thread.join();
}
