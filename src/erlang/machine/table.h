// One ets table: what it is, its rows, and how these change.
//
// The idea: rows are terms, kept in a tree of terms whose shape is a function of its content: a hash trie
// from keys to rows (hash_map.h), or for ordered_set a treap (ordered_tree.h). A change copies the way from
// the root to the row, so a state that was saved before shares all else with it; saving stores what is new,
// restoring takes the old root back. There is no other form: tables are never frozen or thawed as a whole.
//
//   set                 hash map: key -> row
//   bag, duplicate_bag  hash map: key -> list of rows, the newest first
//   ordered_set         treap of rows
//
// The order of a hash table is that of the trie, which depends on the keys alone; so a traversal meets each
// key that is there all the time exactly once, whatever is inserted and deleted meanwhile. Rows with the same
// key stand together. `deleted_keys` holds what was deleted while the table was fixed: ets:next/2 goes on
// from there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "erlang/term/atoms.h"
#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/ordered_tree.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

enum class TableType : std::uint8_t { kSet, kOrderedSet, kBag, kDuplicateBag };
enum class TableProtection : std::uint8_t { kPublic, kProtected, kPrivate };

// A process that has called ets:safe_fixtable/2, and how often.
struct Fixation {
  Term pid;
  std::int64_t count;
};

struct TableOptions {
  TableType type = TableType::kSet;
  TableProtection protection = TableProtection::kProtected;
  Word key_position = 1;
  bool is_named = false;
  // Without effect here, but ets:info/2 tells them.
  bool is_compressed = false;
  bool is_read_concurrent = false;
  bool has_decentralized_counters = false;
  Term write_concurrency = atoms::kFalse;
};

struct Table {
  Term id;    // a reference
  Term name;  // an atom; how the table is called if it is named
  Term owner;
  Term heir = atoms::kNone;      // pid, or none
  Term heir_data = Term::nil();  // [Data]: what it is told; [] if it is not
  TableOptions options;
  std::uint64_t size = 0;           // rows
  Term rows;                        // see above
  Term deleted_keys = Term::nil();  // hash map of keys, or [] if there are none
  std::vector<Fixation> fixations;  // in order of pid

  Term image = Term::none();  // the stored tuple, if nothing has changed since

  bool is_hash() const { return options.type != TableType::kOrderedSet; }
  bool is_bag() const { return options.type == TableType::kBag || options.type == TableType::kDuplicateBag; }
  bool is_fixed() const { return !fixations.empty(); }
  // How the program calls it.
  Term handle() const { return options.is_named ? name : id; }
};

// All rows with one key: `rows` is the row, or in bags a list of them, the newest first.
struct RowGroup {
  Term key = Term::none();  // none: there is none
  Term rows = Term::nil();
  bool exists() const { return !key.is_none(); }
  template <class Visit>
  void for_each(Visit visit) const {
    if (!rows.is_cons()) return visit(rows);
    for (Term rest = rows; rest.is_cons(); rest = rest.tail()) visit(rest.head());
  }
};

// The rows of a table. Changes go through `Tables::touch` first (tables.h), else the image is stale.
class TableRows {
 public:
  TableRows(Heap& heap, const Names& names, Table& table) : heap_(heap), names_(names), table_(table) {}

  static Term empty(Heap& heap, TableType type);

  Term key_of(Term row) const { return row.object()[table_.options.key_position]; }
  // Is it a tuple with a key?
  bool is_row(Term t) const;

  RowGroup find(Term key) const;
  bool has(Term key) const { return find(key).exists(); }
  // The rows with a key, the oldest first.
  Term list(const RowGroup& group) const;

  void insert(Term row);
  // Puts a row in the place of one with the same key. REQUIRES: a set.
  void replace(Term row) { insert(row); }
  // Functions that return how many rows are gone.
  std::uint64_t erase(Term key);
  std::uint64_t erase_row(Term row);
  std::uint64_t clear();
  // Puts other rows in the place of a group, as many and with the same key.
  void replace_group(const RowGroup& group, Term rows);

  // The order of the table. `next` and `previous` take keys that are not there, too.
  RowGroup first() const;
  RowGroup last() const;  // of a hash table: the same as first()
  RowGroup next(Term key) const;
  RowGroup previous(Term key) const;  // REQUIRES: an ordered_set
  std::vector<RowGroup> all() const;
  // The groups whose keys may fit one of some patterns without maps. REQUIRES: an ordered_set.
  std::vector<RowGroup> fitting(std::span<const Term> patterns) const;

  // May ets:next/2 go on from here?
  bool knows(Term key) const;
  // Call when the last fixation ends.
  void forget_deleted_keys() { table_.deleted_keys = Term::nil(); }

 private:
  RowGroup group_of(Term row_or_none) const;
  OrderedTree tree() const;
  void remove_key(Term key);
  void remember_deleted(Term key);

  Heap& heap_;
  const Names& names_;
  Table& table_;
};

}  // namespace ravel::erlang
