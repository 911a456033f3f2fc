// All ets tables of a machine, as part of its state.
//
// Invariants:
//  1. Tables stand in the order of their identifiers, so the same tables are the same state.
//  2. A table whose `image` is there has not changed since it was saved; `freeze` looks at no other.
//
// Cost: finding a table a search by halves, over a handful; saving one word for each table and the new nodes
// of those that changed; restoring one comparison for each table.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "erlang/machine/table.h"
#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/store.h"

namespace ravel::erlang {

class Tables {
 public:
  explicit Tables(const Names& names) : names_(names) {}

  Table* find(Term id) const;     // null: there is none
  Table* named(Term name) const;  // only named tables
  std::span<const std::unique_ptr<Table>> all() const { return tables_; }
  std::vector<Table*> owned_by(Term pid) const;  // in the order in which it got them
  bool concern(Term pid) const;                  // whether it owns one, or has fixed one

  Table& add(Table table);  // REQUIRES: `id` and `owner` are set, the identifier is new
  void remove(Table& table);
  // Makes a process the owner, after its other tables.
  void give(Table& table, Term owner);
  // Call before any change of a table.
  Table& touch(Table& table) {
    table.image = image_ = Term::none();
    return table;
  }

  // Saving and restoring: all tables as one stored tuple.
  bool have_changed() const { return image_.is_none(); }
  Term freeze(Store& store);
  void thaw(Term image);
  void for_each(Roots::Visit visit, void* collector);  // what may be young

 private:
  std::vector<std::unique_ptr<Table>>::const_iterator place_of(Term id) const;

  const Names& names_;
  std::vector<std::unique_ptr<Table>> tables_;
  Term image_ = Term::none();
};

}  // namespace ravel::erlang
