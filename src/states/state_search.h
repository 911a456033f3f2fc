// A search by states: each state of a System once, whatever way leads there, so that it ends also where
// executions do not.
//
// The idea: the System numbers its states (NumberedStates), and goes back to any of them. Depth first, the
// states on the way to the present one are kept with how many of their transitions were taken. Breadth first,
// numbers come in the order of distance, so the states that have still to be expanded are those from one
// number on, and each keeps by which transition it was found: the first bug has a shortest schedule.
//
// A state in which nothing can move any more has an outcome of its own. A step that ends the execution by a
// bug leads to no state: states are not blamed for how they were come to.
//
// Cost: a step, a number and mostly a go_to() for each transition. Memory: the System's states, and 16 bytes
// for each state on the way (depth first) or 12 for each state (breadth first).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/bug_ledger.h"
#include "engine/exploration.h"
#include "engine/search_request.h"
#include "engine/system.h"

namespace ravel {

class StateSearch {
 public:
  // A bug for those who hear of it, if they look at another System: how it comes about there, and what it is.
  struct Told {
    std::vector<Transition> schedule;
    Bug bug;
  };
  // Of the schedule that leads to a bug. Nothing: the same does not happen there.
  using Translate = std::function<std::optional<Told>(std::span<const Transition>)>;

  // All references must outlive the search. REQUIRES: the System numbers its states, and has numbered none.
  StateSearch(System& system, StateOrder order, const Limits& limits, Clock& clock,
              const Surroundings& surroundings = {}, Translate translate = {});
  StateSearch(const StateSearch&) = delete;
  StateSearch& operator=(const StateSearch&) = delete;

  // Searches until every state was visited or something ends it. REQUIRES: called once.
  Exploration run();
  // After a search that was ended: what grows on the way to where it was (NumberedStates::what_grows).
  const std::vector<std::string>& growing() const { return growing_; }

 private:
  // A state on the way to the present one.
  struct OnWay {
    StateNumber state;
    std::uint32_t next;     // of its transitions, the first that was not taken
    std::uint32_t enabled;  // how many there are
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // A transition of a state, by its place among the enabled ones; kNone: none, but the reset.
  struct Taken {
    std::uint32_t state = 0;
    std::uint32_t index = kNone;
  };
  // How a state was found.
  struct Origin {
    Taken from;
    bool is_end;  // nothing can move there any more
  };
  struct Way {
    std::vector<Transition> schedule;
    std::uint32_t preemptions = 0;
  };

  void search_depth_first();
  void search_breadth_first();
  // Takes a transition of a state. Nothing: it leads to no new state that can go on.
  std::optional<StateNumber> take(StateNumber from, std::uint32_t index);
  std::optional<StateNumber> arrive();
  void go_to(StateNumber state);
  void note_end(Outcome outcome);
  void record_bug(std::optional<Way> way);
  Way go_way();
  std::vector<FoundBug> told_bugs();
  std::vector<std::uint32_t> indices_of_way() const;
  bool should_stop();
  bool is_told_to_stop();
  void note_counts();
  std::vector<StateNumber> samples_of_way() const;

  System& system_;
  const StateOrder order_;
  const Limits limits_;
  Clock& clock_;
  const Surroundings surroundings_;
  const Translate translate_;

  std::vector<OnWay> on_way_;    // depth first
  std::vector<Origin> origins_;  // breadth first, by number
  Taken last_;                   // last of all
  std::optional<StateNumber> present_;
  bool is_over_ = false;

  Exploration exploration_;
  StateCounts counts_;
  std::vector<std::string> growing_;
  BugLedger ledger_;
  std::map<std::string, Bug> told_bugs_;  // by Bug::key() of the one in the ledger, if they are translated
  double start_ = 0;
  double next_memory_look_ = 0;
  std::uint32_t until_look_ = 0;
};

}  // namespace ravel
