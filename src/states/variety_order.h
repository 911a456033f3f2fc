// In which order the parts of a state are best given to a StateTable: the most varied one last, where a new
// part costs least (state_table.h).
//
// The idea: a server that everybody uses is in a new state in nearly every state of the program, others in
// few. After some states it is counted how many versions each part has had, and the table is made anew.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"

namespace ravel {

class VarietyOrder {
 public:
  // Whether versions are to be counted now that there are so many states.
  bool is_due(std::size_t states) const { return states >= next_count_; }

  // Counts anew. `owner`: whose version it is, in some state.
  void begin_count() {
    next_count_ = next_count_ >= kLastCount ? kNever : next_count_ * kCountFactor;
    seen_.clear();
    variety_.clear();
  }
  void note(std::uint64_t owner, std::uint64_t version) {
    if (seen_.insert(combine(owner, version)).second) ++variety_[owner];
  }
  void end_count() { seen_ = {}; }

  // The places of these owners' parts, from 0 on.
  void place(std::span<const std::uint64_t> owners, std::vector<std::uint32_t>& places) const {
    std::vector<std::uint32_t> sorted(owners.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::ranges::stable_sort(sorted, {}, [&](std::uint32_t i) {
      const auto known = variety_.find(owners[i]);
      return known == variety_.end() ? 0 : known->second;
    });
    places.resize(owners.size());
    for (std::uint32_t place = 0; place < sorted.size(); ++place) places[sorted[place]] = place;
  }

 private:
  // States after which versions are counted, and by which factor more there are when they are counted again.
  static constexpr std::size_t kFirstCount = 4096, kCountFactor = 64, kLastCount = kFirstCount * kCountFactor;
  static constexpr std::size_t kNever = ~std::size_t{0};

  std::size_t next_count_ = kFirstCount;
  std::unordered_set<std::uint64_t> seen_;  // while they are counted
  std::unordered_map<std::uint64_t, std::size_t> variety_;
};

}  // namespace ravel
