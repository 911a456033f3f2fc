// The hash of a process's name, for the hashes that place keys: it does not depend on the index inside of a
// pid.
#pragma once

#include <cstdint>

#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// The path from the process to the root; a name has one path only.
inline std::uint64_t hash_pid(const Names& names, Term pid) {
  std::uint64_t hash = names.is_below_system(pid) ? 0x8BB84B93962EACC9 : 0xA0761D6478BD642F;
  for (; names.has_parent(pid); pid = names.parent_of(pid)) {
    hash = (hash ^ names.ordinal_of(pid)) * 0xE7037ED1A0B428DB;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace ravel::erlang
