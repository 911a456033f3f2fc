// Footprints of operations on tables: which objects of signals.h they touch.
//
// Reading or changing the rows with one key touches that key alone, and the table as a whole only as a change that
// commutes with others; what looks at more than single keys surveys the table. A failed operation only reads.
#pragma once

#include <cstdint>

#include "erlang/machine/machine.h"
#include "erlang/machine/table.h"

namespace ravel::erlang {

// The same for equal keys of a table; for others, different but by chance.
std::uint64_t table_row_object(const Names& names, const Table& table, Term key);

void note_row_read(Machine& machine, const Table& table, Term key);
void note_row_change(Machine& machine, const Table& table, Term key);
void note_survey(Machine& machine, const Table& table);
// Whether the table is fixed, and what was deleted since.
void note_fixing(Machine& machine, const Table& table, std::uint8_t access);

}  // namespace ravel::erlang
