// Data races of which the program says that they do no harm: on some memory, or by what it does while it says
// so. They are explored as others are, and not told.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ravel::threads {

class HarmlessRaces {
 public:
  // Memory from `low` to `high`, of this execution, or of all that follow.
  void add_memory(std::uint64_t low, std::uint64_t high, bool is_of_start) {
    memory_.push_back({.low = low, .high = high});
    if (is_of_start) start_ = memory_.size();
  }
  // An access in this execution. Of a program counter the shadow keeps the low half.
  void add_access(std::uint64_t pc) {
    const auto low_half = static_cast<std::uint32_t>(pc);
    if (std::ranges::find(accesses_, low_half) == accesses_.end()) accesses_.push_back(low_half);
  }
  bool contains_memory(std::uint64_t address) const {
    return std::ranges::any_of(
        memory_, [&](const Range& range) { return address >= range.low && address < range.high; });
  }
  bool contains_access(std::uint32_t low_half) const {
    return std::ranges::find(accesses_, low_half) != accesses_.end();
  }
  void begin_execution() {
    memory_.resize(start_);
    accesses_.clear();
  }

 private:
  struct Range {
    std::uint64_t low = 0, high = 0;
  };
  std::vector<Range> memory_;
  std::vector<std::uint32_t> accesses_;
  std::size_t start_ = 0;
};

extern HarmlessRaces harmless_races;

}  // namespace ravel::threads
