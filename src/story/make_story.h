// Makes the story of an observed execution: what happened, why, and what would have happened otherwise.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/bug.h"
#include "engine/race.h"
#include "races/observation.h"
#include "story/story_calls.h"
#include "story/story_model.h"
#include "story/story_sources.h"

namespace ravel {

// A part of what an actor has at hand, as it is after a step that has changed it. No lines: it is gone.
struct ChangedPart {
  std::optional<ActorId> actor = {};  // none: of what all share
  std::string part;
  std::string name = {};
  std::vector<std::string> lines = {};
};

struct WaitsFor {
  ActorId actor{};
  std::vector<ActorId> others = {};
};

// What an observation does not know of its execution.
struct StoryRequest {
  std::string front_end;
  std::string test;
  StoryActorKind actors = StoryActorKind::kProcess;  // what those are that are not of the environment
  std::string replay = {};                           // the command that shows it again
  // The bug of an execution without an end, which was observed for a while: of which `loop` is the first step
  // of the cycle, and `left_out` the number of steps that were not observed
  std::optional<Bug> endless_bug = {};
  std::optional<std::size_t> loop = {};
  std::size_t left_out = 0;
  // Why the bug happens, if that is known already; else it is asked for, unless the function is empty. It may
  // use the System
  std::optional<Explanation> why = {};
  std::function<std::optional<Explanation>(const Recording&)> explain = {};
  SourceReader read_source = {};
  SayCall say_call = {};
  // Whether it is told what else could have moved at each step, which takes one more execution
  bool tells_choices = true;
  // What the last step of the System has changed: asked after each step of the execution, which is run again.
  // Empty functions: that is not known
  std::function<std::vector<ChangedPart>()> state_changes = {};
  std::function<std::vector<WaitsFor>()> waits_for = {};  // at its end
  std::uint64_t events_max = 0;                           // of the passing execution
};

// REQUIRES: the observation is finished, and its System still where it has ended. The System is left in some
// state. Takes time in proportion to the length of the execution and to what is looked for to explain it.
Story make_story(const Observation& failing, const StoryRequest& request);

}  // namespace ravel
