// Players hit a ball as long as there is one; the one who ends the game takes it away.
//
// expect: priority_changes=1 variables=1 threads=2 bug crash --strategy vt --preemptions 2 --variables 2 --threads 3
#include <atomic>
#include <thread>
#include <vector>

struct Ball {
  std::atomic<int> hits{0};
};

static std::atomic<Ball*> ball{new Ball};

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([] {
      if (ball.load() != nullptr) ball.load()->hits++;
    });
  threads.emplace_back([] { ball = nullptr; });
  for (std::thread& thread : threads) thread.join();
}
