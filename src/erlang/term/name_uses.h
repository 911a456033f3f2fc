// Notes where a program goes by the names of processes as such: by their order. Who has to know it (a search
// that takes processes for interchangeable, machine/opaque_names.h) asks afterwards.
#pragma once

#include <vector>

#include "erlang/term/term.h"

namespace ravel::erlang {

class NameUses {
 public:
  bool are_watched() const { return are_watched_; }
  void watch(bool watched) {
    are_watched_ = watched;
    noted_.clear();
  }

  // Notes a name: a pid, or a reference by the pid of its creator.
  void note(Term pid) {
    if (are_watched_) noted_.push_back(pid);
  }

  bool has_noted() const { return !noted_.empty(); }
  const std::vector<Term>& noted() const { return noted_; }
  void forget_noted() { noted_.clear(); }

 private:
  bool are_watched_ = false;
  std::vector<Term> noted_;
};

}  // namespace ravel::erlang
