// Which variable of a function lies at an address, by the debugging information.
//
// Variables that others can reach have a place relative to the call's memory: to the stack pointer before the
// call (DW_OP_call_frame_cfa), or to the one in it. What a compiler has kept in registers, or found by more
// than one step, is not told.

#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>

namespace ravel::threads {

struct LocalVariable {
  std::string name;
  std::string function;  // function compiled in place that has it; empty: the function itself
  std::uint64_t offset = 0;
};

// `pc`: as the unit counts, in the function; `low`, `high`: the stack pointer there, and before the call.
std::optional<LocalVariable> local_variable_at(Dwarf_Die& unit, std::uint64_t pc, std::uint64_t low,
                                               std::uint64_t high, std::uint64_t address);

}  // namespace ravel::threads
