// A schedule of a search by states as it is told: with names that are counted, so that a person can follow
// them, and every other command can run it.
//
// The idea: two Systems run the same test, one in which free names are given again
// (MachineOptions::recurring) and one in which they are counted. Step by step both name the same new
// processes and references, in the same order. Where ends take several steps, only the one that counts keeps
// who has taken back a link or monitor: what it tells them in vain are steps of its own, taken at once.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/transition.h"
#include "erlang/system/erlang_system.h"
#include "states/state_search.h"

namespace ravel::erlang {

class ToldSchedule {
 public:
  // Both must outlive this.
  ToldSchedule(ErlangSystem& searched, ErlangSystem& told) : searched_(searched), told_(told) {}

  // The same transitions in the System that is told, and the same bug, but for names in it. Leaves both
  // Systems after the last of them. Nothing: the program does something else there, because it orders names
  // or makes numbers of them. REQUIRES: the schedule leads to a bug.
  std::optional<StateSearch::Told> operator()(std::span<const Transition> schedule);

 private:
  bool note_names(std::span<const Term> searched, std::span<const Term> told);
  std::optional<ActorId> told_actor(ActorId actor) const;
  void tell_in_vain(std::vector<Transition>& schedule);

  ErlangSystem& searched_;
  ErlangSystem& told_;
  std::unordered_map<Word, Term> names_;
};

}  // namespace ravel::erlang
