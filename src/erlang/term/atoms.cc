#include "erlang/term/atoms.h"

#include <algorithm>
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

std::uint32_t id_of(Term atom) { return static_cast<std::uint32_t>(atom.atom_id()); }

}  // namespace

AtomTable::AtomTable() {
#define ATOM(constant, text) intern(text);
#include "erlang/term/atoms.def"
#undef ATOM
}

std::uint32_t AtomTable::index_of(std::string_view text) {
  if (const auto found = index_.find(text); found != index_.end()) return found->second;
  const auto id = static_cast<std::uint32_t>(entries_.size());
  const std::string& kept = texts_.emplace_back(text);
  unsigned char first[8] = {};
  std::memcpy(first, kept.data(), kept.size() < 8 ? kept.size() : 8);
  std::uint64_t order = 0;
  for (const unsigned char byte : first) order = order << 8 | byte;
  entries_.push_back({.text = kept, .order = order, .hash = hash_text(kept), .is_static = false});
  index_.emplace(kept, id);
  return id;
}

Term AtomTable::intern(std::string_view text) {
  const std::uint32_t id = index_of(text);
  entries_[id].is_static = true;
  return Term::atom(static_cast<AtomId>(id));
}

Term AtomTable::make(std::string_view text) {
  const std::uint32_t id = index_of(text);
  const Term atom = Term::atom(static_cast<AtomId>(id));
  if (entries_[id].is_static) return atom;
  const auto place = std::ranges::lower_bound(run_time_, id, {}, id_of);
  if (place == run_time_.end() || *place != atom) run_time_.insert(place, atom);
  return atom;
}

std::optional<Term> AtomTable::find(std::string_view text) const {
  const auto found = index_.find(text);
  if (found == index_.end()) return std::nullopt;
  const std::uint32_t id = found->second;
  if (!entries_[id].is_static && !std::ranges::binary_search(run_time_, id, {}, id_of)) return std::nullopt;
  return Term::atom(static_cast<AtomId>(id));
}

void AtomTable::keep_run_time_atoms() {
  for (const Term atom : run_time_) entries_[id_of(atom)].is_static = true;
  run_time_.clear();
}

AtomTable::Mark AtomTable::mark() const {
  Mark mark{.size = size()};
  for (std::uint32_t id = 0; id < size(); ++id)
    if (!entries_[id].is_static) mark.not_static.push_back(id);
  return mark;
}

void AtomTable::return_to(const Mark& mark) {
  for (; entries_.size() > mark.size; entries_.pop_back(), texts_.pop_back())
    index_.erase(entries_.back().text);
  for (const std::uint32_t id : mark.not_static) entries_[id].is_static = false;
}

int AtomTable::compare(Term a, Term b) const {
  if (a == b) return 0;
  const Entry& left = entries_[id_of(a)];
  const Entry& right = entries_[id_of(b)];
  if (left.order != right.order) return left.order < right.order ? -1 : 1;
  return left.text.compare(right.text) < 0 ? -1 : 1;
}

}  // namespace ravel::erlang
