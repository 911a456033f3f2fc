#include "erlang/machine/told_explorer.h"

#include "erlang/machine/machine.h"

namespace ravel::erlang {

// A function that only computes tells nothing.
void ToldExplorer::tell(Term pid, Term message) {
  if (!listens_ || machine.pure_calls.is_running()) return;
  senders_.push_back(pid);
  messages_.push_back(message);
}

void ToldExplorer::put_back(std::span<const Term> senders, std::span<const Term> messages) {
  senders_.assign(senders.begin(), senders.end());
  messages_.assign(messages.begin(), messages.end());
}

void ToldExplorer::store_terms() {
  for (Term& message : messages_) message = store.intern(message);
}

void ToldExplorer::for_each_term(Roots::Visit visit, void* collector) {
  visit(collector, messages_.data(), messages_.size());
}

}  // namespace ravel::erlang
