// The states that a search has visited, by hashes: what is kept of a state that the search has left.
#pragma once

#include <cstdint>
#include <memory>

#include "base/wide_hash.h"
#include "engine/hashed_states.h"

namespace ravel {

class SharedStates;

// How visited states are kept. By default they are: exactly.
struct StateStorage {
  std::uint32_t hash_bits = 0;     // 64 or 128: so many of a hash of each (hash_set.h)
  std::uint64_t filter_bytes = 0;  // else if there are some: in a filter of that size (bit_filter.h)
  // If several processes visit states together: hashes of 128 bits, of all of them (shared_states.h)
  SharedStates* shared = nullptr;

  bool is_exact() const { return hash_bits == 0 && filter_bytes == 0 && shared == nullptr; }
};

class VisitedHashes {
 public:
  virtual ~VisitedHashes() = default;

  // Whether no state with this hash, or none that is taken for one with it, was inserted before.
  // REQUIRES: !is_full().
  virtual bool insert(const Hash128& state) = 0;
  // Whether insert() would say that it was.
  virtual bool contains(const Hash128& state) const = 0;
  virtual bool is_full() const = 0;
  virtual std::uint64_t bytes() const = 0;
  virtual HashedStates told() const = 0;
};

// REQUIRES: !storage.is_exact().
std::unique_ptr<VisitedHashes> make_visited_hashes(const StateStorage& storage);

}  // namespace ravel
