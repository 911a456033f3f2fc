// What the indices inside immediates and funs stand for: atoms, process names, references, fun entries.
//
// A process is named by its parent and by which child of that parent it is (`P`, `P.1`, `P.1.2`); the table
// gives each such name one index for ever, so the same logical process is the same pid term in every
// execution. There are two roots: `P` runs the test, `S` is Erlang/OTP's own system, which was started before
// it. References are named by their creator and a number that the creator counts.
//
// Invariant: entries are only added; the order of terms and everything printed depend on the names, never
// on the indices, so they are the same whatever was explored before.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "erlang/term/atoms.h"
#include "erlang/term/name_uses.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Where a fun of a loaded module comes from and how it is called.
struct FunEntry {
  Term module;
  Term name;                   // of the function that holds its code: '-main/0-fun-0-'
  std::uint32_t index = 0;     // which fun of its module
  std::uint32_t old_uniq = 0;  // the hash that the compiler wrote; printed by erl
  std::uint32_t arity = 0;     // arguments, without the free variables
  std::uint32_t free_count = 0;
  std::uint32_t code = 0;  // code index of its entry point; 0: not loaded
  // If the entry point is that of a watched module (run_time_code.cc): where a call goes on, or 0
  std::uint32_t target = 0;
  std::uint8_t uniq[16] = {};  // MD5 of the module
};

class Names {
 public:
  Names();

  AtomTable atoms;
  // By compare() of terms, which changes nothing else.
  mutable NameUses uses;

  // The process that is child number `ordinal` (from 1) of `parent`. The roots `P` and `S` have neither.
  static constexpr Term root_pid() { return Term::pid(0); }
  static constexpr Term system_pid() { return Term::pid(2); }
  // No process: what prints for all of them, `io`. It is child 0 of the root, which no process is.
  static constexpr Term device_pid() { return Term::pid(1); }
  Term child_pid(Term parent, std::uint32_t ordinal);
  bool has_parent(Term pid) const { return pids_[pid.pid_name()].depth != 0; }
  bool is_below_system(Term pid) const { return pids_[pid.pid_name()].root == system_pid().pid_name(); }
  Term parent_of(Term pid) const;  // REQUIRES: has_parent(pid)
  std::uint32_t ordinal_of(Term pid) const;
  std::vector<std::uint32_t> path_of(Term pid) const;  // below its root: {} for P, {1, 2} for P.1.2
  std::string pid_text(Term pid) const;                // "P.1.2"
  int compare_pids(Term a, Term b) const;              // P and all below it come before S
  std::size_t pid_count() const { return pids_.size(); }
  // How many atoms, processes and funs have an index.
  std::size_t size() const { return atoms.size() + pids_.size() + funs_.size(); }

  static constexpr int kReferenceIndexBits = 36;
  static Term make_reference(Term creator, std::uint64_t index) {
    return Term::reference((creator.pid_name() << kReferenceIndexBits) | index);
  }
  static Term creator_of(Term reference) {
    return Term::pid(reference.reference_payload() >> kReferenceIndexBits);
  }
  static std::uint64_t index_of(Term reference) {
    return reference.reference_payload() & ((std::uint64_t{1} << kReferenceIndexBits) - 1);
  }
  // A table identifier is a reference with a mark, so that every other reference is known not to be one.
  static constexpr std::uint64_t kTableMark = std::uint64_t{1} << (kReferenceIndexBits - 1);
  static Term make_table_id(Term creator, std::uint64_t index) {
    return make_reference(creator, index | kTableMark);
  }
  static bool is_table_id(Term t) { return t.is_reference() && (t.reference_payload() & kTableMark) != 0; }
  // And so is the channel through which a process sends to the ordinal-th that it has sent to.
  static constexpr std::uint64_t kChannelMark = std::uint64_t{1} << (kReferenceIndexBits - 2);
  static Term make_channel(Term sender, std::uint64_t ordinal) {
    return make_reference(sender, ordinal | kChannelMark);
  }
  static bool is_channel(Term t) { return t.is_reference() && (t.reference_payload() & kChannelMark) != 0; }
  static std::uint64_t ordinal_of_channel(Term t) { return index_of(t) & ~kChannelMark; }
  std::string reference_text(Term reference) const;  // "P.1:7"; "P.1:t7" of a table
  int compare_references(Term a, Term b) const;

  // The entry for fun `index` of `module` with this MD5, made if it is new.
  std::uint32_t fun_entry(Term module, std::uint32_t index, const std::uint8_t (&uniq)[16]);
  FunEntry& fun(std::uint32_t entry) { return funs_[entry]; }
  const FunEntry& fun(std::uint32_t entry) const { return funs_[entry]; }

  // Which names there are now, to go back to later.
  struct Mark {
    AtomTable::Mark atoms = {};
    std::size_t pids = 0;
    std::deque<FunEntry> funs = {};
  };
  Mark mark() const { return {.atoms = atoms.mark(), .pids = pids_.size(), .funs = funs_}; }
  // Forgets what was named since. REQUIRES: as AtomTable::return_to().
  void return_to(const Mark& mark);

 private:
  struct PidName {
    std::uint32_t parent;
    std::uint32_t ordinal;
    std::uint32_t depth;
    std::uint32_t root;
  };
  std::string key_of_fun(Term module, std::uint32_t index, const std::uint8_t (&uniq)[16]) const;

  std::vector<PidName> pids_;
  std::unordered_map<std::uint64_t, std::uint32_t> children_;  // parent << 32 | ordinal
  std::deque<FunEntry> funs_;
  std::unordered_map<std::string, std::uint32_t> fun_index_;
};

}  // namespace ravel::erlang
