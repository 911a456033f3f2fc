// Which block of the heap an address is in, as the same block in every execution: by the calls that allocated
// it, and how many these had allocated before in the execution.
//
// So a block has its name whoever allocates first, and wherever it lies. Whose turn it was to allocate is
// what a name does not tell: of two threads that run the same calls, either can have the first block of them.
// Of more than 64 calls the innermost count.
//
// Cost: a stack is unwound for each allocation, and a map is searched for each address. Only for those who
// ask (Configuration).

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "threads/protocol/operation.h"

namespace ravel::threads {

class BlockNames {
 public:
  struct Place {
    std::uint32_t block;  // number in blocks(), from 1
    std::uint64_t offset;
  };

  // No blocks are there but those that were from the start, which have no names.
  void begin_execution();
  void note(std::uint64_t address, std::uint64_t size, const std::vector<std::uint64_t>& stack);
  // The block of this execution around an address, freed ones among them.
  std::optional<Place> find(std::uint64_t address) const;
  // The blocks of all executions.
  const std::vector<HeapVariable>& blocks() const { return blocks_; }

 private:
  struct Calls {
    std::uint32_t allocated = 0;             // in this execution
    std::vector<std::uint32_t> blocks = {};  // by how many were allocated before
  };
  struct Extent {
    std::uint64_t size;
    std::uint32_t block;
  };

  std::map<std::uint64_t, Extent> extents_;  // of this execution, by address
  std::map<std::vector<std::uint64_t>, Calls> calls_;
  std::vector<HeapVariable> blocks_;
};

}  // namespace ravel::threads
