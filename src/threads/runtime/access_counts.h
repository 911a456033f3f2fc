// How often each variable is accessed, by how many threads: for `ravel profile`.
//
// A variable is a word of 8 bytes, or an object of synchronisation. One of the heap is named by its block
// (block_names.h) and its place in it.
//
// Cost: a look-up in two maps for each access.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "threads/protocol/operation.h"
#include "threads/runtime/block_names.h"

namespace ravel::threads {

class AccessCounts {
 public:
  void begin_execution() { ++executions_; }
  // `block`: where the address is in the heap.
  void note(std::uint64_t address, const std::optional<BlockNames::Place>& block, bool writes,
            std::uint32_t actor, std::uint64_t pc);

  // The variables of all executions, in the order of first accesses.
  const std::vector<VariableAccesses>& variables() const { return variables_; }
  std::uint64_t executions() const { return executions_; }
  // Accesses to variables beyond the most that are kept.
  std::uint64_t left_out() const { return left_out_; }

 private:
  struct Key {
    std::uint32_t block;
    std::uint64_t place;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  std::uint64_t executions_ = 0, left_out_ = 0;
  std::unordered_map<Key, std::uint32_t, Hash> known_;
  std::vector<VariableAccesses> variables_;
};

}  // namespace ravel::threads
