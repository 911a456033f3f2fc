// What an operation did with rows of a table, told closely enough to ask whether two operations commute.
//
// The pairs of a footprint (signals.h) are sound but coarse: two selections of one table touch the same
// object, and so do a selection and the insertion of a row that it would not have found. The touches of an
// operation say the same about the classes kTableRow and kTableRows and no more than that, so whoever uses
// them ignores pairs of these two (`is_told_by_table_touches`) and asks `table_touches_conflict`
// (bif/table_conflicts.h) instead.
//
// Whether two touches conflict depends only on what an operation was asked for and on what operations that
// conflict with it did before. So swapping neighbours that do not conflict changes nothing about their
// conflicts with third ones, which a reduction relies on. (That is why an insertion never counts as a mere
// reader, although the row may be there already, and why `before` of such an insertion is what the one found
// that put the row there.)
//
// The terms are alive until the machine's next step; after `Freezer::save` they are stored terms.
#pragma once

#include <cstdint>

#include "erlang/machine/signals.h"
#include "erlang/machine/table.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

struct TableTouch {
  enum class Kind : std::uint8_t {
    kRead,    // looked at the rows with `key`
    kInsert,  // put the row `after` into the table, whatever was there
    kChange,  // turned the rows with `key` from `before` into `after`, depending on what was there
    kSelect,  // looked at the rows that fit `specification`
    kOrder,   // looked at which keys there are from `from` to `to`, in an ordered_set; elsewhere at all keys
    kAll,     // looked at everything
  };
  Kind kind = Kind::kRead;
  TableType type = TableType::kSet;
  Word key_position = 1;
  Term table;
  Term process;  // the process that did it
  Term key = Term::none();
  Term before = Term::none();  // as in RowGroup::rows; none: no rows
  Term after = Term::none();   // as in RowGroup::rows; none: no rows
  Term specification = Term::none();
  Term from = Term::none(), to = Term::none();  // none: no bound

  // Calls `visit` for every term that may be young or none.
  template <class Visit>
  void for_each_term(Visit visit) {
    for (Term* term : {&key, &before, &after, &specification, &from, &to}) visit(*term);
  }
};

// Do touches tell all about this object of a footprint?
constexpr bool is_told_by_table_touches(std::uint64_t object) {
  const auto object_class = static_cast<ObjectClass>(object >> 56);
  return object_class == ObjectClass::kTableRow || object_class == ObjectClass::kTableRows;
}

}  // namespace ravel::erlang
