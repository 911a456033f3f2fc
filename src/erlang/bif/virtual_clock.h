// What the clocks of a program show at its start. They stand still, or follow the deadlines (machine.h,
// Clocks).
#pragma once

#include <cstdint>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

inline constexpr std::int64_t kNsPerSecond = 1'000'000'000, kNsPerMillisecond = 1'000'000,
                              kNsPerMicrosecond = 1'000;
inline constexpr std::int64_t kVirtualSystemNs = VirtualTime::kEpochNs;
inline constexpr std::int64_t kVirtualMonotonicNs = kNsPerSecond;  // as if one second after the start

}  // namespace ravel::erlang
