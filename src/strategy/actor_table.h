// Actors by name, with their ancestors, and who of them is there in this execution: what is learned about an
// actor in one execution is known by its name in the next one, also by another System.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/result.h"
#include "engine/actor.h"
#include "engine/position.h"
#include "engine/system.h"

namespace ravel {

class ActorTable {
 public:
  // At the beginning of an execution nobody is there.
  void begin() { ++execution_; }
  // The actor's index, from 0; it is there from now on. `on_birth` is called with the index if it was not
  // before.
  template <class OnBirth>
  std::uint32_t meet(ActorId actor, const SystemView& system, OnBirth on_birth) {
    const auto id = static_cast<std::size_t>(actor);
    if (id >= by_id_.size()) by_id_.resize(id + 1, kNone);
    if (by_id_[id] == kNone) by_id_[id] = index_of(system.actor_name(actor));
    const std::uint32_t index = by_id_[id];
    if (entries_[index].execution != execution_) {
      entries_[index].execution = execution_;
      on_birth(index);
    }
    return index;
  }
  // REQUIRES: it was met.
  std::uint32_t index_of(ActorId actor) const { return by_id_[static_cast<std::size_t>(actor)]; }
  std::uint32_t index_of(const ActorName& name);

  bool is_there(std::uint32_t index) const { return entries_[index].execution == execution_; }
  std::optional<std::uint32_t> parent(std::uint32_t index) const {
    return entries_[index].parent == kNone ? std::nullopt : std::optional(entries_[index].parent);
  }
  // The nearest ancestor that is there.
  std::optional<std::uint32_t> ancestor(std::uint32_t index) const {
    std::optional<std::uint32_t> ancestor = parent(index);
    while (ancestor && !is_there(*ancestor)) ancestor = parent(*ancestor);
    return ancestor;
  }
  std::uint64_t execution() const { return execution_; }
  const ActorName& name_of(std::uint32_t index) const;
  // In logical order.
  const std::map<ActorName, std::uint32_t>& by_name() const { return by_name_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Entry {
    std::uint32_t parent = kNone;
    std::uint64_t execution = 0;  // the last execution in which it was there
  };

  std::uint64_t execution_ = 0;
  std::vector<Entry> entries_;
  std::map<ActorName, std::uint32_t> by_name_;
  std::vector<std::uint32_t> by_id_;
};

void write_name(PositionWriter& writer, const ActorName& name);
Result<ActorName> read_name(PositionReader& reader);

}  // namespace ravel
