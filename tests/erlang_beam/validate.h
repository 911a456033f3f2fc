// Checks the invariants of a BeamFile again, by a walk that shares no code with the reader.

#pragma once

#include <string>

#include "erlang/beam/beam_file.h"

namespace ravel::erlang {

// Empty, or the first invariant found broken.
std::string validate(const BeamFile& beam);

}  // namespace ravel::erlang
