// Threads that wait in a loop: `while (!flag.load()) {}`, spin locks, the same with yields.
//
// The idea: an iteration of a loop is pure if between two arrivals at the same operation the thread has only
// looked, and its registers and its stack are as they were. Whoever leaves out a pure iteration gets another
// execution of the program, with the same states but for that; so nothing is lost if a thread that has been
// through one waits until a value that it has read there is another one. That is a condition on memory, as it
// is for one who waits for a lock, and reduction needs no fairness for it.
//
// What the iteration reads besides, by plain accesses without a race, nobody can change meanwhile: a thread
// that only looks releases nothing, so the change would race. What code that is not compiled by the wrapper
// keeps for itself is not seen; allocating, printing and the library's state (library_use.h) are taken for
// effects.

#pragma once

#include <cstdint>
#include <vector>

namespace ravel::threads {

struct WaitingLoop {
  struct Read {
    std::uint64_t address = 0, value = 0;
    std::uint32_t size = 0;
  };
  // An operation that the thread has come to since it had an effect.
  struct Arrival {
    std::uint64_t pc = 0, state = 0;  // a hash of its registers and its stack
    std::size_t reads = 0;            // how many came before
  };

  std::vector<Arrival> arrivals;
  std::vector<Read> reads;
  std::size_t first_read = 0;  // of the iteration
  std::uint64_t state = 0;     // in which it began
  bool sleeps = false;
  bool waits = false;  // until one of them has another value

  void clear() {
    arrivals.clear();
    reads.clear();
    first_read = 0;
    sleeps = waits = false;
  }
};

}  // namespace ravel::threads
