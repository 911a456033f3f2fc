// Decodes the Recs chunk: the native records that a module defines, since OTP 29.
#pragma once

#include "erlang/beam/beam_file.h"
#include "erlang/beam/byte_reader.h"

namespace ravel::erlang {

// REQUIRES: the tables of `beam` have been read, and nothing for an empty chunk.
void read_records(std::span<const std::uint8_t> chunk, BeamFile& beam, Fault& fault);

}  // namespace ravel::erlang
