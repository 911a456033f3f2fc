// The names of new processes, references and tables: counted, or, where states are to come again, the lowest
// number that is free (MachineOptions::recurring).
//
// The idea: a number is free if no process, message, table or other part of the state holds the name, and
// neither does the operation that makes the new one. So a server that makes a reference for each request is
// in an old state again when the request is forgotten. ("Fresh values": L.-A. Fredlund, H. Svensson,
// "McErlang: A Model Checker for a Distributed Functional Programming Language", 2007, has the same.)
//
// Cost: with `recurring` a walk over those parts of the state in which names lie, for each new name.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/term/name_walk.h"

namespace ravel::erlang {

class FreeNames final : public MachinePart {
 public:
  explicit FreeNames(Machine& its_machine) : MachinePart(its_machine) {}

  // Each counts as used from then on, by who makes it.
  Term pid_for_child_of(Process& parent);
  Term reference_of(Process& creator) {
    return note(Names::make_reference(creator.pid, number_for(creator)));
  }
  Term table_of(Process& creator) { return note(Names::make_table_id(creator.pid, number_for(creator))); }
  // What was named since forget_made(), in that order.
  std::span<const Term> made() const { return made_; }
  void forget_made() { made_.clear(); }

 private:
  Term note(Term name) {
    made_.push_back(name);
    return name;
  }
  bool is_counting() const;
  std::uint64_t number_for(Process& creator);
  void visit_all(NameWalk& walk) const;
  void visit(const Process& process, NameWalk& walk) const;

  std::vector<Term> made_;
};

}  // namespace ravel::erlang
