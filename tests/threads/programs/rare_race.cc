// A race that shows seldom, and fails more seldom: two threads come to it only if they have taken turns all the way. Executions that begin where
// it was seen find the failure.
// expect: race data bug assertion --strategy random --budget 4000x
// expect: race data bug assertion --strategy random --seed 2 --budget 4000x
// expect: race data bug assertion --strategy surw --budget 20000x
// expect: race data bug assertion --strategy random --isolate --budget 4000x
// expect: bug assertion --strategy random --accesses all --budget 100000x
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> turns;
volatile int data;

void take_turns(int me) {
  bool is_in_step = true;
  for (int i = 0; i < 6; ++i) is_in_step = turns.fetch_add(1) == 2 * i + me && is_in_step;
  if (!is_in_step) return;
  data = me;
  assert(data == me);
}

int main() {
  std::thread first(take_turns, 0), second(take_turns, 1);
  first.join();
  second.join();
}
