// The distinct bugs of a search, each with the simplest schedule that was seen to lead to it; two ledgers can
// be merged.

#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/search_result.h"

namespace ravel {

// How simple a schedule is: the less, the simpler.
struct Simplicity {
  std::uint32_t faults = 0;
  std::uint32_t early = 0;  // timeouts that fire early
  std::uint32_t preemptions = 0;
  std::size_t events = 0;

  friend auto operator<=>(const Simplicity&, const Simplicity&) = default;
};

template <class Step>
class BugLedgerOf {
 public:
  using Found = FoundBugOf<Step>;

  BugLedgerOf() = default;
  explicit BugLedgerOf(std::vector<Found> bugs) : bugs_(std::move(bugs)) {
    for (std::size_t i = 0; i < bugs_.size(); ++i) index_of_.emplace(bugs_[i].bug.key(), i);
  }

  static Simplicity simplicity(const Found& found) {
    return {.faults = count_faults(found.schedule),
            .early = count_early(found.schedule),
            .preemptions = found.preemptions,
            .events = found.schedule.size()};
  }

  // In the order in which they were first found.
  const std::vector<Found>& bugs() const { return bugs_; }
  std::vector<Found> take() { return std::exchange(bugs_, {}); }

  // The entry of this bug; null: it is a new one.
  Found* find(const Bug& bug) {
    const auto known = index_of_.find(bug.key());
    return known == index_of_.end() ? nullptr : &bugs_[known->second];
  }
  // The bug of the execution that failed last; null: none has failed.
  Found* last() { return last_ < bugs_.size() ? &bugs_[last_] : nullptr; }

  // Notes that execution number `execution` ends with this bug. Returns the entry if its schedule, now empty,
  // is to be that of this execution; null if the entry has one that is as simple.
  Found* note(const Bug& bug, const Simplicity& simplicity, std::uint64_t execution) {
    const bool is_new = find_or_add(bug);
    Found& found = bugs_[last_];
    if (is_new) found.first_execution = execution;
    ++found.executions;
    if (!is_new && simplicity >= BugLedgerOf::simplicity(found)) return nullptr;
    found.bug = bug;
    found.preemptions = simplicity.preemptions;
    found.schedule.clear();
    return &found;
  }

  // Adds the bugs of a search that came after this one.
  void merge(std::span<const Found> later) {
    for (const Found& other : later) {
      const bool is_new = find_or_add(other.bug);
      Found& found = bugs_[last_];
      if (is_new) {
        found = other;
        continue;
      }
      const std::uint64_t executions = found.executions + other.executions, first = found.first_execution;
      if (simplicity(other) < simplicity(found)) found = other;
      found.executions = executions;
      found.first_execution = first;
    }
  }

 private:
  // Whether it is a new one. last_ is its index.
  bool find_or_add(const Bug& bug) {
    // Executions that fail, which may be most of them, mostly do so in the way of the one before.
    if (last_ < bugs_.size() && bugs_[last_].bug.is_same(bug)) return false;
    last_ = index_of_.try_emplace(bug.key(), bugs_.size()).first->second;
    if (last_ < bugs_.size()) return false;
    bugs_.emplace_back();
    return true;
  }

  std::vector<Found> bugs_;
  std::map<std::string, std::size_t> index_of_;  // by Bug::key()
  std::size_t last_ = 0;                         // the index of the bug that was noted last
};

using BugLedger = BugLedgerOf<Transition>;

}  // namespace ravel
