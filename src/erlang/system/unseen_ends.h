// Ends that nobody can see, in a search by states: of a process that is not watched, linked or named, that
// owns no table, and whose pid nobody has.
//
// The idea: such an end commutes with all that others do, and what they do cannot tell whether it has
// happened. So where there is one it is the only transition that is listed (a persistent set of one). Else
// processes that have come to their end pile up where they are never let do so, and a server that starts one
// for each request has infinitely many states.
//
// Faults and early timeouts happen only as long as somebody can go on, as who has to end can; so with these
// such ends are steps as others are.
//
// Only the list of all processes shows an unseen end. Once a program has looked at that, the search begins
// again without this (ErlangOptions::unseen_ends_come_first).
#pragma once

#include <vector>

#include "engine/transition.h"
#include "erlang/machine/machine.h"
#include "erlang/system/actor_table.h"
#include "erlang/system/process_roles.h"

namespace ravel::erlang {

class UnseenEnds {
 public:
  // All must outlive this object.
  UnseenEnds(Machine& machine, const ActorTable& actors, const ProcessRoles& roles)
      : machine_(machine), actors_(actors), roles_(roles) {}

  // Whether options and properties allow it.
  bool may_come_first() const;
  // Leaves nothing but an unseen end, if there is one. REQUIRES: may_come_first().
  void keep_to_one(std::vector<Transition>& enabled);

  // Whether others were left out the last time, and whether that has ever been so.
  bool is_one_first() const { return is_one_first_; }
  bool was_one_first() const { return was_one_first_; }

 private:
  bool is_unseen_end(Term pid) const;

  Machine& machine_;
  const ActorTable& actors_;
  const ProcessRoles& roles_;
  bool is_one_first_ = false;
  bool was_one_first_ = false;
};

}  // namespace ravel::erlang
