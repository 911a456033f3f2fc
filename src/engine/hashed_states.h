// What a search by states keeps of states that it has visited, if it is not the states: then it may take a
// new one for an old one, and leave it out, with all that only it leads to.
#pragma once

#include <cstdint>
#include <string>

namespace ravel {

struct HashedStates {
  std::uint32_t hash_bits = 0;    // that are kept of each state; 0: all have a part in one filter
  std::uint64_t filter_bits = 0;  // of that filter
  double omitted = 0;             // how many states are expected to have been taken for others
  // A function of the user's, if states are one of which it makes the same: nobody knows what that leaves out
  std::string abstraction = {};

  friend bool operator==(const HashedStates&, const HashedStates&) = default;
};

}  // namespace ravel
