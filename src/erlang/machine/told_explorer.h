// What the program tells the explorer that says who moves: ravel:explorer/1.
//
// It is local code, and no part of the state: it is no scheduling point and has no footprint. Without an
// explorer that listens nothing is noted.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "erlang/machine/machine_part.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class ToldExplorer final : public MachinePart {
 public:
  explicit ToldExplorer(Machine& its_machine) : MachinePart(its_machine) {}

  void listen(bool listens) {
    listens_ = listens;
    forget();
  }
  // What this process tells.
  void tell(Term pid, Term message);

  // Since it was last taken; stored terms, once the state is stored.
  std::span<const Term> messages() const { return messages_; }
  std::span<const Term> senders() const { return senders_; }
  void forget() {
    messages_.clear();
    senders_.clear();
  }
  // As they were, for an execution that begins anew.
  void put_back(std::span<const Term> senders, std::span<const Term> messages);

  // Everything young becomes stored.
  void store_terms();
  void for_each_term(Roots::Visit visit, void* collector);

 private:
  bool listens_ = false;
  std::vector<Term> senders_, messages_;  // pids, and what each of them has told
};

}  // namespace ravel::erlang
