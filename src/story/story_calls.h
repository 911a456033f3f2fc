// Questions and answers: a client asks a server, waits, and takes the answer. That is four steps, and up to
// as many more that a library takes for the client, in the same line of the program (it looks the server up,
// watches it, and watches it no more), which readers want to see as one.
//
// A call is found by its messages, whatever language it is in: what an actor sends is received by another
// one, which has sent, not earlier, the message that the first one takes in its very next step. If only these
// steps stand between its first and its last one, it is told as a whole; else the question and the answer
// each take in what the client does beside them, and what others did in between is told. If the front end
// knows what carries questions and answers, the four steps say what they say without it.

#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "story/story_model.h"

namespace ravel {

// What a question and its answer say, without what carries them. Front ends know that; an empty function:
// both as they are.
using SayCall = std::function<std::pair<std::string, std::string>(const std::string& question,
                                                                  const std::string& answer)>;

// Notes the calls of an execution, and what their steps say. No call hides a preemption, the beginning of a
// loop, or the last step, and none that is told as a whole has a step of the race that makes the difference.
// REQUIRES: races are noted in the execution.
void note_calls(StoryExecution& execution, const std::vector<StoryActor>& actors, const SayCall& say);

// Which steps are of the race that makes the difference.
std::vector<bool> steps_that_decide(const StoryExecution& execution);

}  // namespace ravel
