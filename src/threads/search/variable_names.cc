#include "threads/search/variable_names.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/hash.h"

namespace ravel::threads {

namespace {

// The extent around an address; they are ordered.
const Extent* extent_around(const std::vector<Extent>& extents, std::uint64_t address) {
  const auto after = std::ranges::upper_bound(extents, address, {}, &Extent::low);
  if (after == extents.begin()) return nullptr;
  const Extent& extent = *std::prev(after);
  return address - extent.low < extent.size ? &extent : nullptr;
}

// A program counter, so that draws among statements do not depend on where libraries lie.
std::uint64_t statement_of(const HeapVariable& block, const VariableNaming& naming) {
  for (const std::uint64_t pc : block.stack)
    if (extent_around(naming.own_code, pc) != nullptr) return pc;
  return block.stack.front();
}

}  // namespace

VariableOf variables_of(const SearchedProgram& program, const VariableNaming& naming) {
  return [&program, &naming](std::uint64_t object) -> Variable {
    if (const BlockWord word = program.block_word(object); word.block != nullptr) {
      if (naming.by_statement) return {.name = statement_of(*word.block, naming)};
      const std::uint64_t name = combine(word.block->calls, word.block->ordinal);
      return {.name = naming.arrays_are_whole ? name : combine(name, word.offset),
              .iteration = word.block->ordinal - 1};
    }
    const Extent* const array = naming.arrays_are_whole ? extent_around(naming.arrays, object) : nullptr;
    return {.name = array != nullptr ? array->low : object};
  };
}

WholeOf wholes_of(const SearchedProgram& program, const std::vector<Extent>& globals) {
  return [&program, &globals](std::uint64_t object) -> std::optional<std::uint64_t> {
    if (const Extent* const global = extent_around(globals, object)) return global->low;
    return program.block_at(object);
  };
}

}  // namespace ravel::threads
