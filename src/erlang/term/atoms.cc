#include "erlang/term/atoms.h"

#include <cstring>

namespace ravel::erlang {

namespace {

// FNV-1a, 64 bits, with a last round of mixing because short texts leave the upper bits alike.
std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93;
  return hash ^ (hash >> 32);
}

}  // namespace

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
  entries_.push_back({.text = kept, .order = order, .hash = hash_text(kept)});
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
