// How an interrupted reduction finds its way back.
//
// A position is the nodes of the execution that is planned, with the names of the steps that were explored at
// them and with their wakeup trees. What steps touch is in it only between copies of one process: objects
// have other numbers in another System. It is found out again, by taking each step once more where it
// belongs, before the search goes on.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/position.h"
#include "engine/trials.h"
#include "strategy/optimal_reduction/common_ground.h"
#include "strategy/optimal_reduction/search_state.h"

namespace ravel::reduction {

// REQUIRES: an execution is planned. `system` names the actors. `ground`: what the reader has in common with
// this process; null: nothing. Of a part only the trees of its own nodes are written.
void write_state(const SearchState& search, const SystemView& system, const ObjectsInCommon* ground,
                 PositionWriter& writer);

// Fills a new state with what was written; the first `fixed` nodes are those of the prefix. False if the
// bytes are damaged or are of another program; then the state is of no use. `ground` as it was written.
bool read_state(PositionReader& reader, Trials& trials, std::size_t fixed, const ObjectsInCommon* ground,
                SearchState& search);

// What a step of this name touches, where a step of its actor has touched this and has chosen otherwise.
std::vector<Touch> touches_as_chosen(Footprint footprint, const StepName& name);

// Levels of a position, from one on up to the first that has branches which are left.
struct GivenLevels {
  std::uint32_t begin = 0, end = 0;
  bool is_damaged = false;
};
// Fills a new state with them alone: other nodes have neither trees nor explored steps. To the explored steps
// of each that one is added which the node takes now. Empty if no level has branches.
GivenLevels read_levels(PositionReader& reader, Trials& trials, std::size_t fixed,
                        const ObjectsInCommon* ground, std::uint32_t begin, SearchState& search);

}  // namespace ravel::reduction
