// The story of the execution that a subject is about.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "check/subject.h"
#include "engine/bug.h"
#include "engine/race.h"
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

// How stories are told in reports.
struct StoryWish {
  StoryForm form = StoryForm::kLines;
  Folding folding = Folding::kIfLong;
};

// A recorded execution of this subject in the form that is wished for; nothing if that is what a report tells
// by itself, or if the execution is too long for another form. `why`: why its bug happens, if that is known.
// REQUIRES: the subject was opened to be shown.
std::optional<std::string> tell_recording(const Subject& subject, const Recording& recording,
                                          const std::optional<Explanation>& why, const StoryWish& wish,
                                          const StoryViewOptions& view);

// Has the story of an execution of this subject tell the state of actors, step by step, if that is known.
// The subject must outlive the request.
void ask_for_state(const Subject& subject, StoryRequest& request);

}  // namespace ravel
