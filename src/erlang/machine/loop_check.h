// Refuses functions that can go round without a call: no compiler writes one, and the machine, which counts
// calls, could never stop it. Only a damaged file holds such code.
//
// The idea: calls, and the step to the next message of a mailbox, are counted or bounded; what is left of a
// function's control flow without them must have no cycle. Almost no function jumps backwards at all (but
// to its own function_clause), and only those that do are searched.
//
// Cost: one look at each label; a depth-first search of the few functions that jump back.
#pragma once

#include <string_view>

#include "base/result.h"
#include "erlang/beam/beam_file.h"

namespace ravel::erlang {

// Messages begin with the given name.
Status check_loops(const BeamFile& file, std::string_view name_for_messages);

}  // namespace ravel::erlang
