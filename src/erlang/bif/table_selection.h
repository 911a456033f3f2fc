// A match specification at work on a table: which rows it looks at, and what it makes of each.
//
// If every clause binds the key, it looks at the rows with these keys only, and no others count for its
// footprint. If every clause binds the beginning of the key of an ordered_set, it looks only at where that
// can be.
#pragma once

#include <optional>
#include <vector>

#include "erlang/bif/ets_family.h"
#include "erlang/bif/match_guards.h"
#include "erlang/machine/table.h"

namespace ravel::erlang {

class TableSelection {
 public:
  TableSelection(Call& call, Table& table)
      : call_(call), table_(table), contents_(call.heap, call.names, table), guards_(call) {}
  TableSelection(const TableSelection&) = delete;
  TableSelection& operator=(const TableSelection&) = delete;

  // False: the specification is wrong.
  bool prepare(Term source);

  // REQUIRES for all below: prepare() was true.
  // Does it look at certain keys only?
  bool has_keys() const { return has_keys_; }
  // The groups that it looks at, in the order of the table; notes that it does.
  std::vector<RowGroup> groups();
  // The value for a row, or none.
  Term run(Term row) { return runner_->run(row); }

  TableRows& contents() { return contents_; }
  Term source() const { return source_; }

 private:
  void add_key_of(Term pattern);

  Call& call_;
  Table& table_;
  TableRows contents_;
  BuiltinGuards guards_;
  Term source_;
  MatchSpecification specification_;
  std::optional<MatchRunner> runner_;
  bool has_keys_ = true;  // each clause has a key without variables; `keys_` are these
  // Each clause tells part of its key; `key_patterns_` are these (of an ordered_set)
  bool has_ranges_ = true;
  std::vector<Term> keys_;
  std::vector<Term> key_patterns_;
};

}  // namespace ravel::erlang
