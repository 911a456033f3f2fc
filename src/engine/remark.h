// What executions have shown that is no bug and still worth telling, such as processes that a test leaves
// behind.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ravel {

struct Remark {
  std::string text;  // equal for all schedules in which the remark comes up
  std::string file;  // where, or empty
  std::uint32_t line = 0;

  friend bool operator==(const Remark&, const Remark&) = default;
};

struct Remarks {
  std::vector<Remark> kinds;  // distinct ones, in the order in which they came up
  std::uint64_t most = 0;     // in one execution

  void add(const Remarks& others) {
    most = std::max(most, others.most);
    for (const Remark& remark : others.kinds)
      if (std::ranges::find(kinds, remark) == kinds.end()) kinds.push_back(remark);
  }
};

}  // namespace ravel
