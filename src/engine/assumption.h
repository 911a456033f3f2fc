// What a verdict was given under, where that decided something.
//
// The idea: a search takes some things for granted, such as that messages arrive at once. A pass depends on
// that only where the program did something to which it mattered. A System notes each such place, once, over
// all executions; what never mattered is never told.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ravel {

enum class Assumption : std::uint8_t {
  kInstantDelivery,        // a message was there before one of another process that was sent after it
  kAtomicEnds,             // several processes learned of an end in one step
  kOneSeed,                // random numbers were drawn
  kOneEnvironment,         // an environment variable was read that nobody had set
  kTimeoutsWait,           // a timeout could have fired while others could go on
  kStartsOnce,             // an application was started or stopped in one order of events
  kSequentialConsistency,  // threads met at an atomic operation that asks for less
};
inline constexpr Assumption kLastAssumption = Assumption::kSequentialConsistency;

// A place of the program at which an assumption decided something.
struct AssumedPlace {
  Assumption assumption = Assumption::kInstantDelivery;
  std::string file;        // empty: not known
  std::uint32_t line = 0;  // 0: not known

  friend bool operator==(const AssumedPlace&, const AssumedPlace&) = default;
};

// Adds those that are not there yet; the order of the first ones stays.
inline void add_places(std::vector<AssumedPlace>& places, const std::vector<AssumedPlace>& more) {
  for (const AssumedPlace& place : more)
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
}

}  // namespace ravel
