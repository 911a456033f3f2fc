// One observed execution as steps of a story.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "races/observation.h"
#include "story/causality.h"
#include "story/story_actors.h"
#include "story/story_model.h"
#include "story/story_sources.h"

namespace ravel {

// "finished", "running", "unsupported", or the kind of the bug.
std::string outcome_text(const Recording& recording);

// The steps with their order and messages, and how the execution ended; without races, choices and whom
// waiting actors wait for. Steps in the places of libraries are marked as inner. REQUIRES: the observation is
// finished, and its System still where it has ended.
StoryExecution tell_execution(const Observation& observation, const Causality& causality, StoryActors& actors,
                              StorySources& sources);

// Notes of each actor who has made it, its last step and whether it is over.
// REQUIRES: as tell_execution(), of which `execution` is the result.
void note_lives(const Observation& observation, const StoryExecution& execution, StoryActors& actors);

// Runs the execution once more, and notes what else could have moved in the place of each step. At most
// `choices_max` for a step; the others are counted. The System is left in some state.
void add_choices(const Observation& observation, std::size_t choices_max, StoryActors& actors,
                 StoryExecution& execution);

}  // namespace ravel
