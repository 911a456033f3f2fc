// One observed execution as steps of a story.

#pragma once

#include <cstddef>
#include <functional>
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

// What a step does, and where.
void describe_step(const EventDescription& description, StorySources& sources, StoryStep& step);

// The steps with their order and messages, and how the execution ended; without races, choices and whom
// waiting actors wait for. Steps in the places of libraries are marked as inner. REQUIRES: the observation is
// finished, and its System still where it has ended.
StoryExecution tell_execution(const Observation& observation, const Causality& causality, StoryActors& actors,
                              StorySources& sources);

// Notes of each actor who has made it, and if it has ended its last step and how it ended.
void note_lives(const StoryExecution& execution, StoryActors& actors);

// Of a deadlock, adds those waiting of whom only the bug's details tell: a line for each, which begins with
// the actor's name. Whom they wait for is read there, too, where a line says who holds what they want.
void note_waiting(const Bug& bug, const StoryActors& actors, StoryExecution& execution);

// Runs the execution once more, and notes what else could have moved in the place of each step. At most
// `choices_max` for a step; the others are counted. After each step `after_step` is called with it. Returns
// whether all of it could be taken again. The System is left where it has ended, or in some state.
bool run_again(const Observation& observation, std::size_t choices_max, StoryActors& actors,
               StoryExecution& execution, const std::function<void(StoryStep&)>& after_step);

}  // namespace ravel
