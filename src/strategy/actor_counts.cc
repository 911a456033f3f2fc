#include "strategy/actor_counts.h"

#include <algorithm>
#include <optional>

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

void ActorCounts::add(const ActorCounts& other, const ActorTable& table) {
  for (std::uint32_t actor = 0; actor < other.entries_.size(); ++actor) {
    const std::uint64_t before = actor < entries_.size() ? entries_[actor].expected : 0;
    if (const std::uint64_t more = other.entries_[actor].expected; more > 0)
      expect(actor, before + more, table);
  }
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
    write_name(writer, named.first);
    writer.put(named.second < entries_.size() ? entries_[named.second].expected : 0);
  });
}

void ActorCounts::read_position(PositionReader& reader, ActorTable& table) {
  reader.get_all([&] {
    const Result<ActorName> name = read_name(reader);
    const std::uint64_t expected = reader.get();
    if (name && expected > 0) expect(table.index_of(*name), expected, table);
  });
}

}  // namespace ravel
