#include "strategy/actor_counts.h"

#include <algorithm>

#include "base/check.h"

namespace ravel {

namespace {

bool descends(const ActorName& name, const ActorName& ancestor) {
  const auto &path = name.path(), &start = ancestor.path();
  return name.root() == ancestor.root() && path.size() > start.size() && std::equal(start.begin(), start.end(), path.begin());
}

}  // namespace

void ActorCounts::begin() {
  for (auto& [name, entry] : entries_) {
    entry.seen = 0;
    entry.is_there = false;
  }
}

void ActorCounts::meet(ActorId actor, const System& system) {
  const auto index = static_cast<std::size_t>(actor);
  if (index >= by_id_.size()) by_id_.resize(index + 1, entries_.end());
  if (by_id_[index] == entries_.end()) by_id_[index] = entries_.try_emplace(system.actor_name(actor)).first;
  by_id_[index]->second.is_there = true;
}

void ActorCounts::count(ActorId actor) { ++by_id_[static_cast<std::size_t>(actor)]->second.seen; }

std::uint64_t ActorCounts::left(ActorId actor) const {
  const auto own = by_id_[static_cast<std::size_t>(actor)];
  const auto left_of = [](const Entry& entry) { return entry.expected > entry.seen ? entry.expected - entry.seen : 0; };
  std::uint64_t left = left_of(own->second);
  // Those whose nearest living ancestor this is. One that is there has taken its own descendants with it.
  std::vector<const ActorName*> taken;
  for (auto other = std::next(own); other != entries_.end(); ++other) {
    if (!descends(other->first, own->first)) continue;
    if (std::ranges::any_of(taken, [&](const ActorName* name) { return descends(other->first, *name); })) continue;
    if (other->second.is_there) {
      taken.push_back(&other->first);
    } else {
      left += left_of(other->second);
    }
  }
  return left;
}

void ActorCounts::end() {
  for (auto& [name, entry] : entries_) entry.expected = std::max(entry.expected, entry.seen);
}

void ActorCounts::write_position(PositionWriter& writer) const {
  writer.put_all(entries_, [&](const auto& entry) {
    writer.put_all(entry.first.to_string(), [&](char c) { writer.put(static_cast<std::uint8_t>(c)); });
    writer.put(entry.second.expected);
  });
}

void ActorCounts::read_position(PositionReader& reader) {
  reader.get_all([&] {
    std::string text;
    reader.get_all([&] { text.push_back(static_cast<char>(reader.get())); });
    const auto name = ActorName::parse(text);
    const std::uint64_t expected = reader.get();
    if (name) entries_[*name].expected = expected;
  });
}

}  // namespace ravel
