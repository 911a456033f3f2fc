// The names of processes that occur in a term, young or stored: pids, and the creators of references.
#pragma once

#include <unordered_set>

#include "erlang/term/header.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"
#include "erlang/term/work_stack.h"

namespace ravel::erlang {

// Calls visit(pid) for each place. A part that several others share is visited once, if it is no list cell.
template <class Visit>
void for_each_name(Term root, Visit visit) {
  WorkStack<Term, 48> pending;
  std::unordered_set<Word> seen;
  pending.push(root);
  while (!pending.is_empty()) {
    Term term = pending.pop();
    for (; term.is_cons(); term = term.tail()) pending.push(term.head());
    if (term.is_pid()) {
      visit(term);
    } else if (term.is_reference()) {
      visit(Names::creator_of(term));
    } else if (term.is_boxed() && !is_raw(kind_of(term.header())) && seen.insert(term.bits()).second) {
      const Term* const object = term.object();
      for (Word i = 1; i <= size_of(object[0]); ++i) pending.push(object[i]);
    }
  }
}

}  // namespace ravel::erlang
