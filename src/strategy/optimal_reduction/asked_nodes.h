// At which nodes executions have put something into wakeup trees lately: whoever has a part below such a node
// has to note that for others (shared_tree.h), which costs more than an execution. So it shows whether it
// pays off to give parts away.

#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace ravel::reduction {

class AskedNodes {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // An execution has ended. `first`: the first node into whose tree it has put something; kNone: into none.
  void add_execution(std::uint32_t first) {
    if (++executions_ > kExecutionsMax) forget_half();
    if (first == kNone) return;
    if (first >= by_first_.size()) by_first_.resize(first + 1);
    ++by_first_[first];
  }

  // Whether those below `node`, which they can be given, would have little to note about it and nodes before.
  bool are_few_up_to(std::uint32_t node) const {
    if (executions_ < kExecutionsToJudge) return false;
    std::uint64_t asking = 0;
    for (std::uint32_t first = 0; first <= node && first < by_first_.size(); ++first)
      asking += by_first_[first];
    return asking * kExecutionsForOne <= executions_;
  }

 private:
  // What happened longer ago than that counts less and less.
  static constexpr std::uint32_t kExecutionsMax = 1 << 13;
  static constexpr std::uint32_t kExecutionsToJudge = 20;
  // What is put into a tree leads to a note, and then to a part. Together they are taken to cost as much as
  // ten to fifteen executions: an estimate. At one for so many executions that is half of their time.
  static constexpr std::uint32_t kExecutionsForOne = 30;

  void forget_half() {
    executions_ /= 2;
    for (std::uint32_t& asking : by_first_) asking /= 2;
  }

  std::uint32_t executions_ = 0;
  std::vector<std::uint32_t> by_first_;  // how many executions, by the first node
};

}  // namespace ravel::reduction
