// Happens-before by vector clocks.
//
// Clocks only grow while the process lives: every execution starts above all clocks of the one before, so
// that what the shadow still holds of it is recognised as old, and nothing has to be cleared.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ravel::threads {

using LogicalTime = std::uint64_t;

class VectorClock {
 public:
  LogicalTime at(std::uint32_t thread) const { return thread < clocks_.size() ? clocks_[thread] : 0; }
  void set(std::uint32_t thread, LogicalTime clock) {
    if (thread >= clocks_.size()) clocks_.resize(thread + 1);
    clocks_[thread] = clock;
  }
  void join(const VectorClock& other) {
    if (other.clocks_.size() > clocks_.size()) clocks_.resize(other.clocks_.size());
    for (std::size_t i = 0; i < other.clocks_.size(); ++i)
      clocks_[i] = std::max(clocks_[i], other.clocks_[i]);
  }
  // Whether this one knows all that the other one knows, except what is of that thread.
  bool covers(const VectorClock& other, std::uint32_t but) const {
    for (std::uint32_t i = 0; i < other.clocks_.size(); ++i)
      if (i != but && other.clocks_[i] > at(i)) return false;
    return true;
  }
  void clear() { std::ranges::fill(clocks_, 0); }

 private:
  // By the thread's number in the execution; as long as in the longest of them
  std::vector<LogicalTime> clocks_;
};

}  // namespace ravel::threads
