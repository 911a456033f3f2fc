// Prints a module as text, for people and for tests: roughly what `erlc -S` prints.

#pragma once

#include <string>

#include "erlang/beam/beam_file.h"

namespace ravel::erlang {

// The whole module: names, tables, then each function with its instructions.
std::string dump_beam(const BeamFile& beam);

// One instruction, as "call_ext 2 lists:reverse/2".
std::string instruction_text(const BeamFile& beam, const Instruction& instruction);

// An atom as Erlang writes it, in quotes where it needs them.
std::string atom_text(const std::string& atom);

}  // namespace ravel::erlang
