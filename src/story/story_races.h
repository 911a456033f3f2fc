// What decides about a told execution: its races, and which of its steps have to do with its bug.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/race.h"
#include "races/observation.h"
#include "races/races.h"
#include "story/causality.h"
#include "story/story_model.h"

namespace ravel {

// The races of an execution. Of a long one, or of one in which looking for them would take many executions,
// only those between operations that touch the same object one after the other, and are no locks.
// REQUIRES: as find_races(). The System is left in some state.
std::vector<Race> races_to_tell(const Observation& observation, const Causality& causality);

// Notes the races at their steps, with the one that makes the difference, if there is one.
void add_races(const Observation& observation, std::span<const Race> races, const RaceDescription* difference,
               StoryExecution& execution);

// Marks the steps that have to do with the bug (StoryStep::is_relevant): the bug's own event, or where nobody
// can go on the last events of those that wait, or the steps that come again and again; the events that race
// with one of these, those of the race that makes the difference, and the causal past of them all. Without a
// bug, and where no event of it is known, all steps are.
void mark_relevant(const Observation& observation, const Causality& causality, const StoryBug* bug,
                   StoryExecution& execution);

// Of the steps in the places of libraries (StoryStep::is_inner) leaves those marked that have nothing to do
// with an actor of the program. Marks the actors all of whose steps are in such places, and that no actor of
// the program has made, with all that they do.
void mark_inner(Story& story);

}  // namespace ravel
