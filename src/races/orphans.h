// Which messages of a schedule nobody has received: for searches, whose system need not answer could_take().

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/race.h"
#include "engine/system.h"
#include "engine/transition.h"

namespace ravel {

// In the order of sending; the value is empty if the system does not tell it. Leaves the system in some
// state.
std::vector<OrphanDescription> find_orphans(System& system, std::span<const Transition> schedule,
                                            std::uint64_t events_max);

}  // namespace ravel
