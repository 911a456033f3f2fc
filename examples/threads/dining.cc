// Philosophers who take the left fork first: all can hold one fork and wait for the other.
//
// expect: bug deadlock
#include <array>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kPhilosophers = 3;
std::array<std::mutex, kPhilosophers> forks;

int main() {
  std::vector<std::thread> philosophers;
  for (int i = 0; i < kPhilosophers; ++i) {
    philosophers.emplace_back([i] {
      std::lock_guard<std::mutex> left(forks[i]);
      std::lock_guard<std::mutex> right(forks[(i + 1) % kPhilosophers]);
    });
  }
  for (std::thread& philosopher : philosophers) philosopher.join();
}
