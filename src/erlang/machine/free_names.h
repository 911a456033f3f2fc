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
  explicit FreeNames(Machine& its_machine) : MachinePart(its_machine), walk_(heap, store) {}

  // Each counts as used from then on, by who makes it.
  Term pid_for_child_of(Process& parent);
  Term reference_of(Process& creator) {
    return note(Names::make_reference(creator.pid, number_for(creator)));
  }
  Term table_of(Process& creator) { return note(Names::make_table_id(creator.pid, number_for(creator))); }
  // Whether its pid lies somewhere else in the state. REQUIRES: no operation is under way.
  bool is_known_to_others(const Process& process);
  // What was named since forget_made(), in that order.
  std::span<const Term> made() const { return made_; }
  // And after how many operations of the step (StepRecord::earlier_events).
  std::span<const std::size_t> made_after() const { return made_after_; }
  void forget_made() {
    made_.clear();
    made_after_.clear();
  }
  // The store was collected.
  void forget_images() { known_.clear(); }

 private:
  Term note(Term name);
  static constexpr std::size_t kKnown = 1024, kReferencesKept = 7;
  // The references in an image of a process, if there are few.
  struct Known {
    Term image = Term::none();
    std::uint32_t count = 0;
    Term references[kReferencesKept];
  };

  bool is_counting() const;
  std::uint64_t number_for(Process& creator);
  std::uint64_t lowest_free();  // of used_
  void visit_rest();            // but for processes, and the operation that is under way
  void visit_image(Term image);
  void visit_awake(const Process& process);
  const Known& references_in(Term image);

  NameWalk walk_;
  std::vector<Term> made_;
  std::vector<std::size_t> made_after_;
  std::vector<std::uint64_t> used_;
  std::vector<Known> known_;  // those that were looked at last, by image
};

}  // namespace ravel::erlang
