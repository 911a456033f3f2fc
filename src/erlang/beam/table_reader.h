// Reads the tables of a .beam file: everything but the code.

#pragma once

#include "erlang/beam/beam_container.h"
#include "erlang/beam/beam_file.h"

namespace ravel::erlang {

// Fills all of `beam` that does not come from the Code chunk, and checks every index that does not lead
// into the code.
void read_tables(const BeamContainer& container, BeamFile& beam, Fault& fault);

}  // namespace ravel::erlang
