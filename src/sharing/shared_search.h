// A search by states that begins in one process and, if it lasts, goes on by several (state_coordinator.h).
//
// The process that has begun with it makes a copy of itself, which goes on where it is. From then on it only
// has the search. A process that dies leaves states that nobody goes on from: then all begin again, from
// where the search was saved last.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/exploration.h"
#include "engine/search_request.h"
#include "engine/step_memory.h"
#include "engine/system.h"
#include "explorers/delaying_explorer.h"
#include "explorers/explorer_needs.h"
#include "sharing/state_coordinator.h"
#include "states/looking_steps.h"
#include "states/state_search.h"

namespace ravel {

class SharedSearch {
 public:
  // References must outlive the search.
  struct Setting {
    System& system;        // whose states are visited,
    SharedStates& states;  // and numbered in there
    System& teller;        // in whose names it is told what was found
    StateSearch::Translate translate = {};
    StepMemory* memory = nullptr;  // of the System, if steps need not be taken again
    std::string strategy = {};     // what it is called
    StateOrder order = StateOrder::kBreadthFirst;
    // If the order is by delays.
    std::function<std::unique_ptr<const DelayingExplorer>()> make_explorer = {};
    std::optional<std::uint32_t> delays_max = {};
    ExplorerNeeds needs = {};
    std::uint32_t jobs = 1;                  // how many processes there may be
    double seconds_alone = 0.1;              // before there are several
    Limits limits = {};                      // of the whole
    Surroundings surroundings = {};          // the same; `keep`: while one process searches
    KeepingTimes keeping = {};               //
    bool compares_hashes = true;             // SharedPart::Sharing::compares_hashes
    bool notes_looks = false;                // SharedPart::Sharing::looking
    MakeCopy fork = flush_and_fork;          // in the midst of an execution
    std::function<void()> begin_copy = {};   // in each copy
    std::function<void()> begin_visit = {};  // in each but the first, which goes on
    std::function<PartFindings(const Exploration&)> save = {};  // what this process has found, for others
    std::function<void(const PartFindings&)> learn = {};        // what another one has found
    std::function<bool()> ends_search = {};                     // after steps that another process has taken
    // Where the search is, and what was found by then, while several processes search.
    std::function<void(const Exploration&, const PartFindings&)> keep = {};
    std::function<void(const PartFindings&)> ended = {};  // what several have found
  };
  explicit SharedSearch(Setting setting) : setting_(std::move(setting)) {}

  // What is found. `so_far`: what was found before, with the position of such a search, or with none.
  // Nothing: the position makes no sense for this System.
  std::optional<Exploration> run(Exploration so_far);
  // Steps that have only looked, in all that was visited.
  const LookingSteps& looks() const { return looks_; }
  // What went wrong on the way: sentences without a full stop.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::optional<Exploration> run_once();
  bool go_to_place(StateSearch& search) const;
  bool note_place(StateSearch& search, SharedPosition& position, const std::optional<Exploration>& begun);
  bool by_delays() const { return setting_.order == StateOrder::kByDelays; }
  StateOrder order_of_search() const { return by_delays() ? setting_.order : StateOrder::kBreadthFirst; }
  void prepare(StateSearch& search, StateSearch::Sharing sharing) const;
  void visit(std::size_t number, std::uint32_t visitor, Channel channel, SharedFlags& flags);
  StateCoordinator::Followed follow(std::span<const std::uint32_t> way);
  Exploration find(const PartFindings& all) const;
  Exploration coordinate(ChildProcess copy, std::uint32_t distance, SharedPosition told, const Limits& limits,
                         double seconds_before, SharedFlags& flags);

  const Setting setting_;
  Exploration from_;                   // where it is to begin, if that has no position, or to go on
  std::optional<std::string> loss_;    // how a process has died
  double seconds_spent_ = 0;           // of the budget
  std::optional<PartFindings> begun_;  // by delays: when the stratum began that several go on with
  LookingSteps looks_;
  std::vector<std::string> problems_;
};

}  // namespace ravel
