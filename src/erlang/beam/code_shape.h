// Finds the functions in decoded instructions and checks what one instruction alone cannot show: that
// calls, exports and lambdas lead to functions of the right arity.

#pragma once

#include "erlang/beam/beam_file.h"
#include "erlang/beam/byte_reader.h"

namespace ravel::erlang {

// Fills beam.functions and establishes invariants 5 and 6 of BeamFile.
// REQUIRES: read_tables() and read_code() found no fault.
void find_functions(BeamFile& beam, std::uint32_t functions_stated, Fault& fault);

}  // namespace ravel::erlang
