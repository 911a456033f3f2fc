// Decodes the Code chunk into instructions and operands, and checks each by itself, and that all labels are
// defined.

#pragma once

#include "erlang/beam/beam_file.h"
#include "erlang/beam/byte_reader.h"

namespace ravel::erlang {

// Fills instructions, operands, big_integers, alloc_lists, label_instructions and opcode_max.
// Returns how many functions the chunk states to have.
// REQUIRES: the tables of `beam` have been read.
std::uint32_t read_code(std::span<const std::uint8_t> chunk, BeamFile& beam, Fault& fault);

}  // namespace ravel::erlang
