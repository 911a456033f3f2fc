// Where names lie in a part of a state, and what that part is but for them.
//
// The idea: each name has a slot there, which depends on the place alone; or, where things lie in the order
// of their names, as in sets and maps, on what else is said of the name. The hash of the shape and the slots
// are the same for two parts that differ only in how actors are called; and if no two names are said
// something of together (`is_joint`), only for such ones, but for hashes that agree by accident.
#pragma once

#include <cstdint>
#include <vector>

namespace ravel {

struct NameSlot {
  std::uint32_t name = 0;  // its index, as in NameTree
  std::uint64_t slot = 0;
};

struct NameShape {
  std::uint64_t shape = 0;
  std::vector<NameSlot> slots = {};  // in no order that counts
  bool is_joint = false;             // among things in the order of their names, one that holds two names
  bool is_too_large = false;         // to be looked at as a whole
};

}  // namespace ravel
