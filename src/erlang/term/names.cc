#include "erlang/term/names.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace ravel::erlang {

Names::Names() {
  pids_.push_back({.parent = 0, .ordinal = 0, .depth = 0, .root = 0});
  CHECK(child_pid(root_pid(), 0) == device_pid());
  const auto system = static_cast<std::uint32_t>(system_pid().pid_name());
  CHECK(pids_.size() == system);
  pids_.push_back({.parent = system, .ordinal = 0, .depth = 0, .root = system});
  funs_.emplace_back();  // entry 0 is never used
}

Term Names::child_pid(Term parent, std::uint32_t ordinal) {
  const std::uint64_t key = parent.pid_name() << 32 | ordinal;
  const auto [found, is_new] = children_.try_emplace(key, static_cast<std::uint32_t>(pids_.size()));
  if (is_new) {
    CHECK(pids_.size() < (std::size_t{1} << (60 - kReferenceIndexBits)));
    const auto parent_name = static_cast<std::uint32_t>(parent.pid_name());
    pids_.push_back({.parent = parent_name,
                     .ordinal = ordinal,
                     .depth = pids_[parent_name].depth + 1,
                     .root = pids_[parent_name].root});
  }
  return Term::pid(found->second);
}

Term Names::parent_of(Term pid) const { return Term::pid(pids_[pid.pid_name()].parent); }
std::uint32_t Names::ordinal_of(Term pid) const { return pids_[pid.pid_name()].ordinal; }

std::vector<std::uint32_t> Names::path_of(Term pid) const {
  std::vector<std::uint32_t> path;
  for (std::size_t name = pid.pid_name(); pids_[name].depth != 0; name = pids_[name].parent)
    path.push_back(pids_[name].ordinal);
  std::ranges::reverse(path);
  return path;
}

std::string Names::pid_text(Term pid) const {
  if (pid == device_pid()) return "io";
  std::string text = is_below_system(pid) ? "S" : "P";
  for (const std::uint32_t ordinal : path_of(pid)) text += "." + std::to_string(ordinal);
  return text;
}

int Names::compare_pids(Term a, Term b) const {
  if (a == b) return 0;
  if (pids_[a.pid_name()].root != pids_[b.pid_name()].root) return is_below_system(a) ? 1 : -1;
  // Climbs to where the two paths part: two different children of one parent, or one is above the other.
  PidName left = pids_[a.pid_name()];
  PidName right = pids_[b.pid_name()];
  const std::uint32_t left_depth = left.depth;
  const std::uint32_t right_depth = right.depth;
  std::size_t left_name = a.pid_name();
  std::size_t right_name = b.pid_name();
  while (left.depth > right_depth) left = pids_[left_name = left.parent];
  while (right.depth > left_depth) right = pids_[right_name = right.parent];
  if (left_name == right_name) return left_depth < right_depth ? -1 : 1;
  while (left.parent != right.parent) {
    left = pids_[left.parent];
    right = pids_[right.parent];
  }
  return left.ordinal < right.ordinal ? -1 : 1;
}

std::string Names::reference_text(Term reference) const {
  const std::string number = std::to_string(index_of(reference) & ~kTableMark);
  return pid_text(creator_of(reference)) + (is_table_id(reference) ? ":t" : ":") + number;
}

int Names::compare_references(Term a, Term b) const {
  if (a == b) return 0;
  if (const int by_creator = compare_pids(creator_of(a), creator_of(b)); by_creator != 0) return by_creator;
  return index_of(a) < index_of(b) ? -1 : 1;
}

std::string Names::key_of_fun(Term module, std::uint32_t index, const std::uint8_t (&uniq)[16]) const {
  std::string key(atoms.text(module));
  key += '\0';
  key += std::to_string(index);
  key += '\0';
  key.append(reinterpret_cast<const char*>(uniq), sizeof uniq);
  return key;
}

std::uint32_t Names::fun_entry(Term module, std::uint32_t index, const std::uint8_t (&uniq)[16]) {
  const auto [found, is_new] =
      fun_index_.try_emplace(key_of_fun(module, index, uniq), static_cast<std::uint32_t>(funs_.size()));
  if (is_new) {
    FunEntry& entry = funs_.emplace_back();
    entry.module = module;
    entry.index = index;
    std::memcpy(entry.uniq, uniq, sizeof uniq);
  }
  return found->second;
}

void Names::return_to(const Mark& mark) {
  for (std::size_t i = mark.funs.size(); i < funs_.size(); ++i)
    fun_index_.erase(key_of_fun(funs_[i].module, funs_[i].index, funs_[i].uniq));
  funs_ = mark.funs;  // those that are kept may have been given their code since
  for (; pids_.size() > mark.pids; pids_.pop_back())
    children_.erase(std::uint64_t{pids_.back().parent} << 32 | pids_.back().ordinal);
  atoms.return_to(mark.atoms);
}

}  // namespace ravel::erlang
