#include "erlang/bif/table_selection.h"

#include <algorithm>
#include <utility>

#include "erlang/machine/table_notes.h"
#include "erlang/term/compare.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

bool TableSelection::prepare(Term source) {
  source_ = source;
  if (source.is_nil()) return true;  // finds nothing
  auto lowered = MatchSpecification::compile(call_.heap, call_.names, source, MatchDialect::kTable, guards_);
  if (!lowered) return false;
  specification_ = std::move(*lowered);
  runner_.emplace(specification_, call_.heap, call_.names, guards_, call_.self().pid);
  for (Term list = source; list.is_cons(); list = list.tail()) add_key_of(element(list.head(), 1));
  return true;
}

namespace {

bool has_map(Term key) {
  std::vector<Term> pending{key};
  while (!pending.empty()) {
    const Term t = pending.back();
    pending.pop_back();
    if (t.is_cons()) {
      pending.insert(pending.end(), {t.head(), t.tail()});
    } else if (is_tuple(t)) {
      pending.insert(pending.end(), t.object() + 1, t.object() + 1 + tuple_size(t));
    } else if (t.is_boxed() && is_map(t)) {
      return true;
    }
  }
  return false;
}

}  // namespace

// A pattern that is no row fits none, so it adds no key. A key without variables is what is looked for; in
// some releases even if it holds a map, which elsewhere would fit larger ones.
void TableSelection::add_key_of(Term pattern) {
  if (pattern == atoms::kUnderscore || match_variable(call_.names, pattern)) {
    has_keys_ = has_ranges_ = false;
  } else if (contents_.is_row(pattern)) {
    const Term key = contents_.key_of(pattern);
    const auto is_same = [&](Term other) {
      return table_.is_hash() ? equal_exactly(key, other) : equal(key, other);
    };
    key_patterns_.push_back(key);
    const bool says_nothing = key == atoms::kUnderscore || match_variable(call_.names, key);
    has_ranges_ = has_ranges_ && !says_nothing && !has_map(key);
    if (has_match_variable(call_.names, key) || (installed_release().fits_keys_partly && has_map(key))) {
      has_keys_ = false;
    } else if (std::ranges::none_of(keys_, is_same)) {
      keys_.push_back(key);
    }
  }
}

std::vector<RowGroup> TableSelection::groups() {
  if (!has_keys_) {
    notes_of(call_, table_).select(source_);
    return has_ranges_ && !table_.is_hash() ? contents_.fitting(key_patterns_) : contents_.all();
  }
  notes_of(call_, table_).select(source_, keys_);
  std::vector<RowGroup> found;
  for (const Term key : keys_) {
    if (const RowGroup group = contents_.find(key); group.exists()) found.push_back(group);
  }
  if (!table_.is_hash())
    std::ranges::sort(
        found, [&](const RowGroup& a, const RowGroup& b) { return compare(call_.names, a.key, b.key) < 0; });
  return found;
}

}  // namespace ravel::erlang
