#include "threads/runtime/access_counts.h"

#include <algorithm>

#include "base/hash.h"

namespace ravel::threads {

namespace {

constexpr std::size_t kVariablesMax = std::size_t{1} << 20;

}  // namespace

std::size_t AccessCounts::Hash::operator()(const Key& key) const { return combine(key.block, key.place); }

void AccessCounts::begin_execution() {
  ++executions_;
  extents_.clear();
  allocated_.clear();
}

void AccessCounts::note_block(std::uint64_t address, std::uint64_t size, std::vector<std::uint64_t> stack) {
  const std::uint32_t ordinal = ++allocated_[stack];
  const auto [known, is_new] = known_blocks_.try_emplace({stack, ordinal}, static_cast<std::uint32_t>(blocks_.size() + 1));
  if (is_new) blocks_.push_back({.stack = std::move(stack), .ordinal = ordinal, .size = size});
  extents_[address] = {.size = size, .block = known->second};
}

void AccessCounts::note(std::uint64_t address, bool writes, std::uint32_t actor, std::uint64_t pc) {
  Key key{.block = 0, .place = address};
  const auto after = extents_.upper_bound(address);
  if (after != extents_.begin()) {
    const auto& [begin, extent] = *std::prev(after);
    if (address - begin < extent.size) key = {.block = extent.block, .place = address - begin};
  }
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
