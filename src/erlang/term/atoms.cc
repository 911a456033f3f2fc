#include "erlang/term/atoms.h"

#include <cstring>

namespace ravel::erlang {

AtomTable::AtomTable() {
#define ATOM(constant, text) intern(text);
#include "erlang/term/atoms.def"
#undef ATOM
}

Term AtomTable::intern(std::string_view text) {
  if (auto found = index_.find(text); found != index_.end()) return Term::atom(static_cast<AtomId>(found->second));
  const auto id = static_cast<std::uint32_t>(entries_.size());
  const std::string& kept = texts_.emplace_back(text);
  unsigned char first[8] = {};
  std::memcpy(first, kept.data(), kept.size() < 8 ? kept.size() : 8);
  std::uint64_t order = 0;
  for (const unsigned char byte : first) order = order << 8 | byte;
  entries_.push_back({.text = kept, .order = order});
  index_.emplace(kept, id);
  return Term::atom(static_cast<AtomId>(id));
}

std::optional<Term> AtomTable::find(std::string_view text) const {
  const auto found = index_.find(text);
  if (found == index_.end()) return std::nullopt;
  return Term::atom(static_cast<AtomId>(found->second));
}

int AtomTable::compare(Term a, Term b) const {
  if (a == b) return 0;
  const Entry& left = entries_[static_cast<std::uint32_t>(a.atom_id())];
  const Entry& right = entries_[static_cast<std::uint32_t>(b.atom_id())];
  if (left.order != right.order) return left.order < right.order ? -1 : 1;
  return left.text.compare(right.text) < 0 ? -1 : 1;
}

}  // namespace ravel::erlang
