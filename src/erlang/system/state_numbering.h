// Numbers for the machine's states, for a search by states: two states have one number if they are equal, or
// if options say that they count as one (interchangeable processes, state_symmetry.h; an abstraction).
//
// The idea: a state is the words of Freezer::save(), with what processes have asked where that matters
// (noted_requests.h). VisitedStates keep them, as they are or as hashes, under a key that stands for all
// states that count as one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/system.h"
#include "erlang/machine/machine.h"
#include "erlang/system/erlang_options.h"
#include "erlang/system/noted_requests.h"
#include "erlang/system/state_symmetry.h"
#include "erlang/system/store_collection.h"
#include "erlang/system/visited_states.h"

namespace ravel::erlang {

class StateNumbering final : public TermKeeper {
 public:
  // All must outlive this object. REQUIRES: MachineOptions::recurring.
  StateNumbering(Machine& machine, NotedRequests& requests, const ErlangOptions& options);
  ~StateNumbering() override { machine_.freezer.use_images(nullptr); }

  // Of the state in which the machine is now. Nothing if there is no room for more. `abstract`: what the
  // abstraction has made of the state, if there is one.
  // REQUIRES: the nursery is empty.
  std::optional<MetState> number(Term abstract, Outcome outcome);
  // Takes the machine to a state. REQUIRES: keeps(state).
  void go_to(StateNumber state);
  bool keeps(StateNumber state) const { return visited_->keeps(state); }
  void leave(StateNumber state) { visited_->leave(state); }  // NumberedStates::leave()

  // ---- StepMemory
  // From now on steps are remembered, if each state is its own key.
  void remember_steps();
  bool remembers_steps() const { return visited_->remembers_steps(); }
  std::optional<StepMemory::Known> repeat(StateNumber from, std::uint32_t index) {
    return visited_->repeat(from, index);
  }
  // The machine takes a step, of which something may be known; or it is in another state, none that was
  // numbered or gone to.
  void note_step(const KnownSteps::Step& step) { visited_->note_step(step); }
  void note_other_state() { visited_->note_other_state(); }

  std::uint64_t bytes() const { return visited_->bytes(); }
  // What is not exact about the numbers; nothing: they are.
  std::optional<HashedStates> inexactness() const;

  void for_each(Visit visit, void* collector) override { visited_->for_each_root(visit, collector); }
  void note_collected() override {
    visited_->note_collected();
    if (symmetry_) symmetry_->forget_terms();
  }

 private:
  Machine& machine_;
  NotedRequests& requests_;
  const ErlangOptions& options_;
  std::unique_ptr<VisitedStates> visited_;
  std::optional<StateSymmetry> symmetry_;  // with MachineOptions::symmetric
  std::vector<Term> words_;
};

}  // namespace ravel::erlang
