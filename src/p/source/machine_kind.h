// Kinds of machines and of states, which syntax and checked programs share.

#pragma once

#include <cstdint>

namespace ravel::p {

enum class MachineKind : std::uint8_t {
  kMachine,
  kSpec,      // observes events
  kScenario,  // the same, to see what tests cover: attached to every test, and no bug if it stays hot
};

// A spec that stays in a hot state for ever is violated. For a scenario, cold means covered.
enum class Temperature : std::uint8_t { kWarm, kHot, kCold };

}  // namespace ravel::p
