// Which pids and references occur in terms: what has to be known before a name is given again.
//
// The idea: the store notes of each object whether a pid or a reference lies in it anywhere, so that a walk
// passes over everything else. No object is visited twice.
//
// Cost: the young objects, and of the stored ones those in which a wanted name lies.
#pragma once

#include <span>
#include <unordered_set>
#include <vector>

#include "erlang/term/heap.h"
#include "erlang/term/store.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

enum class Wanted : std::uint8_t { kReferences, kReferencesAndPids };

class NameWalk {
 public:
  NameWalk(const Heap& heap, Store& store) : heap_(heap), store_(store) {}
  NameWalk(const NameWalk&) = delete;
  NameWalk& operator=(const NameWalk&) = delete;

  // Each walk begins and ends; between these the store has to stay as it is.
  void begin(Wanted wanted);
  void end();

  // Finds the names in a term. `none` has none.
  void visit(Term term);
  void visit(std::span<const Term> terms) {
    for (const Term term : terms) visit(term);
  }
  // In the order in which they were found, and as often.
  std::span<const Term> found() const { return found_; }

 private:
  void note(Term term);

  const Heap& heap_;
  Store& store_;
  Wanted wanted_ = Wanted::kReferences;
  std::vector<Term> found_;
  std::vector<Term> pending_;
  std::vector<Term> visited_;  // stored ones, which are marked
  std::unordered_set<Word> visited_young_;
};

}  // namespace ravel::erlang
