// The story of the execution that a subject is about.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "check/subject.h"
#include "engine/bug.h"
#include "races/observation.h"
#include "story/story_model.h"

namespace ravel {

// Runs the execution and what is needed to explain it, and tells the user where it could not go as it was
// noted. Of one without an end a part is told. `saved`: the file of a ticket or trace, or empty.
// The error is a refusal of what the program does.
struct ToldSubject {
  Story story = {};
  std::unique_ptr<Observation> observation = {};  // of which that is the story; its System went on since
  std::optional<Refusal> refusal = {};  // then there is no story
};
ToldSubject tell_subject(const Subject& subject, const std::string& saved, const ReportOptions& report);

}  // namespace ravel
