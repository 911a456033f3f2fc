// Where the names of machines lie in a value, and what the value is but for them.
//
// The idea: each name has a slot there, which depends on the place alone: a part of a tuple, an element of a
// seq, or, of sets and maps, which lie in the order of names, on what else is said of the name. The hash of
// the shape and the slots are the same for two values that differ only in how machines are called; and if no
// two names are said something of together (`is_joint`), only for such ones, but for hashes that agree by
// accident.
//
// Cost: a walk over the value.

#pragma once

#include <cstdint>
#include <vector>

#include "p/value/value.h"

namespace ravel::p {

struct NameSlot {
  std::uint32_t machine = 0;  // its number
  std::uint64_t slot = 0;
};

struct NameShape {
  std::uint64_t shape = 0;
  std::vector<NameSlot> slots = {};  // in no order that counts
  bool is_joint = false;             // of a set or map, one element holds two names
  bool is_too_large = false;         // to be looked at as a whole
};

NameShape shape_of(Value value);

}  // namespace ravel::p
