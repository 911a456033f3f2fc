// The executions that parts of a search have noted for whoever has its tree (shared_tree.h): their steps,
// which are taken once more there. One after the other of a part are much alike, so each goes on from where
// it departs from the one before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/position.h"
#include "engine/system.h"
#include "engine/taken_step.h"
#include "engine/trials.h"
#include "strategy/optimal_reduction/common_ground.h"
#include "strategy/optimal_reduction/reduced_execution.h"
#include "strategy/optimal_reduction/saved_names.h"
#include "strategy/optimal_reduction/search_state.h"

namespace ravel::reduction {

// Notes the execution at hand. `ground`: what this process has in common with whoever runs it; null: nothing.
void write_note(const ReducedExecution& execution, const ObjectsInCommon* ground, PositionWriter& writer);

class NotedExecutions {
 public:
  // References must outlive this object. Each execution begins with `prefix` steps that are not decided anew.
  NotedExecutions(System& system, std::size_t prefix, SearchState& search, ReducedExecution& execution)
      : system_(system), prefix_(prefix), search_(search), execution_(execution) {}
  ~NotedExecutions() { forget(); }
  NotedExecutions(const NotedExecutions&) = delete;
  NotedExecutions& operator=(const NotedExecutions&) = delete;

  // Makes the execution and its nodes those of a note. Of the nodes the first are there already, as those of
  // a path. What sleeps is found out at nodes before SearchState::places_before. False: the note makes no
  // sense for this System.
  bool run(std::string_view note);
  // Trials between two executions. After forget(), also those that go step by step (Trials::begin).
  Trials& trials() { return trials_; }
  // The System has run, or is going to run, something else.
  void forget();

 private:
  struct NotedStep {
    bool is_number = false;  // the actor is that of this number; else its name was read with it
    ActorId actor = {};
    std::uint32_t alternative = 0, node = 0;
  };
  struct Saved {
    std::size_t depth;
    Snapshot snapshot;
  };

  std::optional<ActorId> actor_of(const NotedStep& step, const NameReader& names) const;
  std::uint32_t go_back(std::span<const NotedStep> steps, const NameReader& names);
  bool take(const NotedStep& step, const NameReader& names);

  System& system_;
  const std::size_t prefix_;
  SearchState& search_;
  ReducedExecution& execution_;
  std::vector<TakenStep> taken_;  // by the execution that was run last; empty: it is of no use any more
  Trials trials_{system_, taken_};
  std::vector<Saved> snapshots_;  // of that execution, the first one of its initial state
  // Before each step: its actor's first alternative, and how many it had
  std::vector<std::pair<std::uint32_t, std::uint32_t>> alternatives_;
};

}  // namespace ravel::reduction
