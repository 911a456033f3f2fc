// Says more of a bug that was found: which race decides about it.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/race.h"
#include "engine/recording.h"
#include "p/system/p_system.h"

namespace ravel::p {

// Nothing if the execution is too long for that, or has no end. The system is in some state afterwards.
std::optional<Explanation> explain_p_bug(PSystem& system, const Recording& recording,
                                         std::uint64_t events_max);

}  // namespace ravel::p
