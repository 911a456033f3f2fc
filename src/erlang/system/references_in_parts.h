// Which references lie in the parts of numbered states (state_numbers.h), each part looked at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "erlang/term/heap.h"
#include "erlang/term/name_walk.h"
#include "erlang/term/names.h"
#include "erlang/term/store.h"
#include "states/state_table.h"

namespace ravel::erlang {

class ReferencesInParts {
 public:
  // Of references and table identifiers, whose numbers are given by the same count.
  struct Name {
    std::uint32_t creator;  // Term::pid_name()
    std::uint32_t index;    // kLarge: that, or larger
  };
  static constexpr std::uint32_t kLarge = 32;

  // The table's leaves are stored terms. All must outlive this object.
  ReferencesInParts(const Heap& heap, Store& store, const StateTable& table)
      : heap_(heap), store_(store), table_(table) {}

  // Valid until the next call.
  std::span<const Name> of(StateTable::Node part) {
    const auto key = static_cast<std::uint64_t>(part);
    std::optional<std::uint32_t> list = list_of_.find(key);
    if (!list) {
      list = static_cast<std::uint32_t>(ends_.size());
      look_at(Term(table_.word_of(part)));
      ends_.push_back(names_.size());
      list_of_.insert(key, *list);
    }
    const std::size_t first = *list == 0 ? 0 : ends_[*list - 1];
    return std::span(names_).subspan(first, ends_[*list] - first);
  }

  void forget() {
    list_of_ = {};
    ends_ = {};
    names_ = {};
  }
  std::size_t bytes() const {
    return list_of_.bytes() + ends_.size() * sizeof(std::size_t) + names_.size() * sizeof(Name);
  }

 private:
  void look_at(Term term) {
    NameWalk walk(heap_, store_);
    walk.begin(Wanted::kReferences);
    walk.visit(term);
    walk.end();
    for (const Term name : walk.found()) {
      if (Names::is_channel(name)) continue;
      const std::uint64_t index = Names::index_of(name) & ~Names::kTableMark;
      names_.push_back({.creator = static_cast<std::uint32_t>(Names::creator_of(name).pid_name()),
                        .index = static_cast<std::uint32_t>(std::min<std::uint64_t>(index, kLarge))});
    }
  }

  const Heap& heap_;
  Store& store_;
  const StateTable& table_;
  FlatMap list_of_;                // by part
  std::vector<std::size_t> ends_;  // of lists, in names_
  std::vector<Name> names_;
};

}  // namespace ravel::erlang
