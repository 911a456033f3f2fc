// The bugs of a search in parts that were told while it runs, each with the simplest schedule so far.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "engine/bug_ledger.h"
#include "engine/search_result.h"

namespace ravel {

class ToldBugs {
 public:
  // Whether it is to be told: nobody has, or only with a schedule that is less simple. Then it counts as
  // told.
  bool add(const NamedBug& bug) {
    using Ledger = BugLedgerOf<NamedStep>;
    const auto [told, is_new] = by_key_.try_emplace(bug.bug.key(), bug);
    if (is_new) return true;
    if (Ledger::simplicity(bug) >= Ledger::simplicity(told->second)) return false;
    told->second = bug;
    return true;
  }
  // At the end of the search: whether its schedule is another one than was told. Then that one counts as
  // told.
  bool add_last(const NamedBug& bug) {
    const auto [told, is_new] = by_key_.try_emplace(bug.bug.key(), bug);
    if (is_new) return true;
    if (bug.schedule == told->second.schedule) return false;
    told->second = bug;
    return true;
  }
  std::size_t size() const { return by_key_.size(); }

 private:
  std::map<std::string, NamedBug> by_key_;
};

}  // namespace ravel
