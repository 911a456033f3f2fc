#include "strategy/actor_table.h"

#include <algorithm>
#include <string>

#include "base/check.h"

namespace ravel {

std::uint32_t ActorTable::index_of(const ActorName& name) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  std::uint32_t parent = kNone;
  if (!name.path().empty()) {
    ActorName ancestor(name.root());
    for (std::size_t i = 0; i + 1 < name.path().size(); ++i)
      ancestor = ancestor.child(name.path()[i].ordinal, name.path()[i].kind);
    parent = index_of(ancestor);
  }
  const auto index = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({.parent = parent});
  by_name_.emplace(name, index);
  return index;
}

const ActorName& ActorTable::name_of(std::uint32_t index) const {
  const auto found = std::ranges::find_if(by_name_, [&](const auto& named) { return named.second == index; });
  CHECK(found != by_name_.end());
  return found->first;
}

void write_name(PositionWriter& writer, const ActorName& name) {
  writer.put_all(name.to_string(), [&](char c) { writer.put(static_cast<std::uint8_t>(c)); });
}

Result<ActorName> read_name(PositionReader& reader) {
  std::string text;
  reader.get_all([&] { text.push_back(static_cast<char>(reader.get())); });
  return ActorName::parse(text);
}

}  // namespace ravel
