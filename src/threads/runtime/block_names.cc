#include "threads/runtime/block_names.h"

#include <iterator>

#include "base/hash.h"

namespace ravel::threads {

void BlockNames::begin_execution() {
  extents_.clear();
  for (auto& [stack, calls] : calls_) calls.allocated = 0;
}

void BlockNames::note(std::uint64_t address, std::uint64_t size, const std::vector<std::uint64_t>& stack) {
  Calls& calls = calls_[stack];
  if (calls.allocated == calls.blocks.size()) {
    std::uint64_t hash = stack.size();
    for (const std::uint64_t pc : stack) hash = combine(hash, pc);
    blocks_.push_back({.stack = stack, .calls = hash, .ordinal = calls.allocated + 1, .size = size});
    calls.blocks.push_back(static_cast<std::uint32_t>(blocks_.size()));
  }
  extents_[address] = {.size = size, .block = calls.blocks[calls.allocated++]};
}

std::optional<BlockNames::Place> BlockNames::find(std::uint64_t address) const {
  const auto after = extents_.upper_bound(address);
  if (after == extents_.begin()) return std::nullopt;
  const auto& [begin, extent] = *std::prev(after);
  if (address - begin >= extent.size) return std::nullopt;
  return Place{.block = extent.block, .offset = address - begin};
}

}  // namespace ravel::threads
