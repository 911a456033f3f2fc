// ravel replay --gdb: the schedule of a ticket under the debugger.
#pragma once

#include "base/result.h"
#include "engine/ticket.h"
#include "front_ends/threads/program_note.h"

namespace ravel::threads {

// Runs gdb, which has the terminal until it is left, and returns the exit status.
Result<int> debug(const Ticket& ticket, const ProgramNote& noted, const ProgramCall& call);

}  // namespace ravel::threads
