// The story of the execution that a subject is about.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "check/subject.h"
#include "engine/bug.h"
#include "engine/race.h"
#include "engine/recording.h"
#include "races/observation.h"
#include "story/make_story.h"
#include "story/story_model.h"
#include "story/told_story.h"

namespace ravel {

// Runs the execution and what is needed to explain it, and tells the user where it could not go as it was
// noted. Of one without an end a part is told. `saved`: the file of a ticket or trace, or empty.
// The error is a refusal of what the program does.
struct ToldSubject {
  Story story = {};
  std::unique_ptr<Observation> observation = {};  // of which that is the story; its System went on since
  std::optional<Refusal> refusal = {};            // then there is no story
};
ToldSubject tell_subject(const Subject& subject, const std::string& saved, const ReportOptions& report);

// What happened in a recorded execution, in the form that is wished for. `system` runs it again, to know what
// has to do with its bug and who has sent what to whom; it must answer could_take(). Where there is none, or
// the execution is too long or does not happen there in the same way, all steps are told as they were written
// down. `why`: why its bug happens, if that is known.
std::string tell_recording(const FrontEnd& front_end, System* system, const Recording& recording,
                           const std::optional<Explanation>& why, const StoryWish& wish,
                           const StoryLook& look);

// Has the story of an execution of so many steps of this subject tell all that the subject knows: the
// sources, what calls say, the state of actors, and why its bug happens, with the nearest execution without
// it. The subject must outlive the request.
void ask_subject(const Subject& subject, std::size_t length, StoryRequest& request);

}  // namespace ravel
