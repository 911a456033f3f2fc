// How often each variable is accessed, by how many threads: for `ravel profile`.
//
// A variable is a word of 8 bytes, or an object of synchronisation. One of the heap is named by where its block was allocated, with all callers,
// the how-many-th block that was allocated there in the execution, and its place in the block: so it is the same variable in every
// execution, wherever it lies.
//
// Cost: a look-up in two maps for each access.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "threads/protocol/operation.h"

namespace ravel::threads {

class AccessCounts {
 public:
  // No blocks of the heap are there but those that were from the start.
  void begin_execution();
  void note_block(std::uint64_t address, std::uint64_t size, std::vector<std::uint64_t> stack);
  void note(std::uint64_t address, bool writes, std::uint32_t actor, std::uint64_t pc);

  // Of all executions, in the order of first accesses.
  const std::vector<VariableAccesses>& variables() const { return variables_; }
  const std::vector<HeapVariable>& blocks() const { return blocks_; }
  std::uint64_t executions() const { return executions_; }
  // Accesses to variables beyond the most that are kept.
  std::uint64_t left_out() const { return left_out_; }

 private:
  struct Extent {
    std::uint64_t size;
    std::uint32_t block;  // number in blocks_, from 1
  };
  struct Key {
    std::uint32_t block;
    std::uint64_t place;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  std::uint64_t executions_ = 0, left_out_ = 0;
  std::map<std::uint64_t, Extent> extents_;                 // of this execution, by address
  std::map<std::vector<std::uint64_t>, std::uint32_t> allocated_;  // in this execution, by stack
  std::map<std::pair<std::vector<std::uint64_t>, std::uint32_t>, std::uint32_t> known_blocks_;
  std::unordered_map<Key, std::uint32_t, Hash> known_;
  std::vector<HeapVariable> blocks_;
  std::vector<VariableAccesses> variables_;
};

}  // namespace ravel::threads
