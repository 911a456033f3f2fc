#include "strategy/actor_table.h"

namespace ravel {

std::uint32_t ActorTable::index_of(const ActorName& name) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  std::uint32_t parent = kNone;
  if (!name.path().empty()) {
    ActorName ancestor(name.root());
    for (std::size_t i = 0; i + 1 < name.path().size(); ++i) ancestor = ancestor.child(name.path()[i].ordinal, name.path()[i].kind);
    parent = index_of(ancestor);
  }
  const auto index = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({.parent = parent});
  by_name_.emplace(name, index);
  return index;
}

}  // namespace ravel
