// Two threads that wait for each other by turns, yielding: who waits must be let go as soon as the other one has changed something.
// expect: pass --preemptions 2
// expect: pass --strategy pct --budget 2000x
// expect: pass --preemptions 1 -- spin
#include <sched.h>

#include <atomic>
#include <thread>

namespace {

std::atomic<int> turn = 0;

void wait_for(int wanted, bool yields) {
  while (turn != wanted)
    if (yields) sched_yield();
}

}  // namespace

int main(int argc, char**) {
  const bool yields = argc == 1;
  std::thread other([&] {
    wait_for(1, yields);
    turn = 2;
    wait_for(3, yields);
  });
  turn = 1;
  wait_for(2, yields);
  turn = 3;
  other.join();
}
