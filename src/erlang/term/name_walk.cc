#include "erlang/term/name_walk.h"

namespace ravel::erlang {

void NameWalk::begin(Wanted wanted) {
  wanted_ = wanted;
  found_.clear();
}

void NameWalk::end() {
  store_.unmark(visited_);
  visited_.clear();
  if (!visited_young_.empty()) visited_young_.clear();
}

void NameWalk::note(Term term) {
  if (term.is_pointer()) {
    pending_.push_back(term);
  } else if (term.is_reference() || (wanted_ == Wanted::kReferencesAndPids && term.is_pid())) {
    found_.push_back(term);
  }
}

void NameWalk::visit(Term root) {
  note(root);
  while (!pending_.empty()) {
    const Term term = pending_.back();
    pending_.pop_back();
    if (heap_.is_young(term)) {
      if (!visited_young_.insert(term.bits()).second) continue;
    } else {
      const bool has_some =
          Store::has_reference(term) || (wanted_ == Wanted::kReferencesAndPids && Store::has_pid(term));
      if (!has_some || !store_.mark(term)) continue;
      visited_.push_back(term);
    }
    const Term* const object = term.pointer();
    if (term.is_boxed() && is_raw(kind_of(object[0]))) continue;
    const std::size_t words = term.is_cons() ? 2 : size_of(object[0]) + 1;
    for (std::size_t i = 0; i < words; ++i) note(object[i]);
  }
}

}  // namespace ravel::erlang
