#include "strategy/actor_counts.h"

#include <algorithm>
#include <optional>
#include <string>

namespace ravel {

void ActorCounts::note_birth(std::uint32_t actor, const ActorTable& table) {
  Entry& entry = at(actor, table);
  entry.unborn = entry.below;
  const std::uint64_t taken = entry.expected + entry.below;
  const std::optional<std::uint32_t> ancestor = table.ancestor(actor);
  if (!ancestor) return;
  Entry& from = at(*ancestor, table);
  from.unborn -= std::min(from.unborn, taken);
}

void ActorCounts::end(const ActorTable& table) {
  for (const std::uint32_t actor : counted_) {
    const Entry& entry = entries_[actor];
    if (entry.seen > entry.expected) expect(actor, entry.seen, table);
  }
  counted_.clear();
}

void ActorCounts::expect(std::uint32_t actor, std::uint64_t number, const ActorTable& table) {
  if (actor >= entries_.size()) entries_.resize(actor + 1);
  const std::uint64_t more = number - entries_[actor].expected;
  entries_[actor].expected = number;
  for (auto ancestor = table.parent(actor); ancestor; ancestor = table.parent(*ancestor)) {
    if (*ancestor >= entries_.size()) entries_.resize(*ancestor + 1);
    entries_[*ancestor].below += more;
  }
}

void ActorCounts::write_position(PositionWriter& writer, const ActorTable& table) const {
  writer.put_all(table.by_name(), [&](const auto& named) {
    writer.put_all(named.first.to_string(), [&](char c) { writer.put(static_cast<std::uint8_t>(c)); });
    writer.put(named.second < entries_.size() ? entries_[named.second].expected : 0);
  });
}

void ActorCounts::read_position(PositionReader& reader, ActorTable& table) {
  reader.get_all([&] {
    std::string text;
    reader.get_all([&] { text.push_back(static_cast<char>(reader.get())); });
    const auto name = ActorName::parse(text);
    const std::uint64_t expected = reader.get();
    if (name && expected > 0) expect(table.index_of(*name), expected, table);
  });
}

}  // namespace ravel
