#include "threads/runtime/access_counts.h"

#include <algorithm>

#include "base/hash.h"

namespace ravel::threads {

namespace {

constexpr std::size_t kVariablesMax = std::size_t{1} << 20;

}  // namespace

std::size_t AccessCounts::Hash::operator()(const Key& key) const { return combine(key.block, key.place); }

void AccessCounts::note(std::uint64_t address, const std::optional<BlockNames::Place>& block, bool writes,
                        std::uint32_t actor, std::uint64_t pc) {
  const Key key =
      block ? Key{.block = block->block, .place = block->offset} : Key{.block = 0, .place = address};
  auto known = known_.find(key);
  if (known == known_.end()) {
    if (variables_.size() == kVariablesMax) {
      ++left_out_;
      return;
    }
    known = known_.emplace(key, static_cast<std::uint32_t>(variables_.size())).first;
    variables_.push_back({.block = key.block, .place = key.place, .pc = pc});
  }
  VariableAccesses& variable = variables_[known->second];
  ++(writes ? variable.writes : variable.reads);
  if (std::ranges::find(variable.actors, actor) == variable.actors.end()) variable.actors.push_back(actor);
}

}  // namespace ravel::threads
