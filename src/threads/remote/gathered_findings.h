// What executions have shown, gathered from processes of which each has a part of them: what a process has
// seen ends with it.
#pragma once

#include <cstdint>
#include <vector>

#include "threads/protocol/messages.h"

namespace ravel::threads {

class GatheredFindings {
 public:
  const Findings& all() const { return all_; }
  // Words for which a race was seen since they were last taken.
  bool has_new_racy_words() const { return !all_.racy_words.empty(); }
  std::vector<std::uint64_t> take_new_racy_words();

  // A process begins, which has seen nothing.
  void begin_process() { known_ = 0; }
  // Whether there are some that were not asked for, in a process that has counted so many.
  bool lacks(std::uint32_t counted) const { return counted != known_; }
  // What it tells when it is asked. Each is kept once.
  void add(Findings seen, std::uint32_t counted);

 private:
  Findings all_;
  std::uint32_t known_ = 0;  // of this process, as it counts them
};

}  // namespace ravel::threads
