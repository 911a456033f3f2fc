// The execution of a saved ticket, as it goes now.
#pragma once

#include <string>

#include "base/result.h"
#include "check/subject.h"
#include "engine/replay.h"

namespace ravel {

// Follows the ticket, one of an execution without an end with the question that it answers. `saved` is what
// messages call its file. REQUIRES: the subject is one of a ticket.
Result<Replay> replay_subject(const Subject& subject, const std::string& saved);

}  // namespace ravel
