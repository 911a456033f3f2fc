// A thread that waits in a loop without any operation: the reads of the flag become operations before anything is known of a race.
// expect: race done pass --preemptions 2
// expect: pass --strategy pos --budget 500x
// expect: bug event_bound --preemptions 1 -- forever
#include <thread>

volatile bool done = false;

int main(int argc, char**) {
  std::thread other([&] {
    if (argc == 1) done = true;
  });
  while (!done) {
  }
  other.join();
}
