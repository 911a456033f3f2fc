#include "erlang/system/saved_states.h"

namespace ravel::erlang {

Snapshot SavedStates::save() {
  std::uint32_t index;
  if (free_.empty()) {
    index = static_cast<std::uint32_t>(saved_.size());
    saved_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  saved_[index].clear();
  freezer_.save(saved_[index]);
  return static_cast<Snapshot>(index);
}

void SavedStates::for_each(Visit visit, void* collector) {
  visit(collector, initial_.data(), initial_.size());
  for (std::vector<Term>& words : saved_) visit(collector, words.data(), words.size());
}

}  // namespace ravel::erlang
