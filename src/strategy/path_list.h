// A queue of paths in lexicographic order, each stored as what differs from the one before.
//
// A path is the sequence of positions (see alternatives.h) chosen from the start of an execution. Neighbours
// share long beginnings and most positions are 0, so a path takes a few bytes: the length of the shared
// beginning, how many positions follow, and these as (run of zeros, position) pairs, all as
// variable-length numbers.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "engine/position.h"

namespace ravel {

using Path = std::vector<std::uint32_t>;

class PathList {
 public:
  bool empty() const { return bytes_.empty(); }
  std::size_t bytes() const { return bytes_.size(); }

  // Adds a path that shares its first `shared` positions with the one added before and goes on with `rest`.
  void push(std::size_t shared, std::span<const std::uint32_t> rest);

  // Takes the first path out. REQUIRES: !empty(); `path` is the one taken out before it, or empty. Returns
  // how much of it is shared.
  std::size_t pop(Path& path);

  // Adds a queue of later paths, whose first one is noted whole. REQUIRES: nobody has taken one out of it.
  void append(const PathList& later) {
    bytes_.insert(bytes_.end(), later.bytes_.begin(), later.bytes_.end());
  }

  void write_position(PositionWriter& writer) const;
  void read_position(PositionReader& reader);

 private:
  void put(std::uint64_t number);
  std::uint64_t get();

  std::deque<std::uint8_t> bytes_;
};

}  // namespace ravel
