// What operations note about the tables that they use: objects of their footprint (signals.h), and the closer
// touches (table_touch.h).
//
// Reading or changing the rows with one key touches that key alone, and the table as a whole only as a change
// that commutes with others; what looks at more than single keys surveys the table. A failed operation only
// reads.
#pragma once

#include <cstdint>

#include "erlang/machine/machine.h"
#include "erlang/machine/table.h"

namespace ravel::erlang {

// The object of a row: equal for equal keys of a table; for others, different except by chance.
std::uint64_t table_row_object(const Names& names, const Table& table, Term key);

class TableNotes {
 public:
  TableNotes(Machine& machine, const Table& table, Term process)
      : machine_(machine), table_(table), process_(process) {}

  void read(Term key);
  // Reads, where it depends on what is there whether more is touched.
  void read_to_change(Term key);
  void select_to_change();
  // Call before the row is put into the table.
  void insert(Term key, Term row, const RowGroup& before);
  // `after`: none if no rows are left.
  void change(Term key, const RowGroup& before, Term after);
  // A match specification looks at the rows with these keys, or at all.
  void select(Term specification);
  void select(Term specification, const std::vector<Term>& keys);
  // From the key `from` to the key `to`, both included; none: no bound.
  void order(Term from, Term to);
  void all();
  // Whether the table is fixed, and which keys were deleted since. That is no matter of rows.
  void fixing(std::uint8_t access);

 private:
  enum class Decides : bool { kNo, kYes };
  void touch_key(Term key, std::uint8_t access, Decides decides);
  void touch_rows(std::uint8_t access);
  void survey();
  TableTouch& touch(TableTouch::Kind kind);

  Machine& machine_;
  const Table& table_;
  Term process_;
};

}  // namespace ravel::erlang
