// How the executions end that a search by states comes across: bugs, each told once with a schedule that
// leads to it, and what is not supported.
//
// The idea: a search knows of an end only the way there. The way is taken once more where that is needed: for
// the schedule of a bug that is new, or where the System is judged by its execution.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/bug_ledger.h"
#include "engine/exploration.h"
#include "engine/search_request.h"
#include "engine/system.h"
#include "states/system_states.h"
#include "states/temporal_question.h"
#include "states/ways_to_states.h"

namespace ravel {

class StateEnds {
 public:
  // A bug for those who hear of it, if they look at another System: how it comes about there, and what it is.
  struct Told {
    std::vector<Transition> schedule;
    Bug bug;
  };
  // Of the schedule that leads to a bug. Nothing: the same does not happen there.
  using Translate = std::function<std::optional<Told>(std::span<const Transition>)>;

  // What it works with. All must outlive it.
  struct Parts {
    System& system;
    SystemStates& states;
    const WaysToStates& ways;
    Exploration& so_far;  // what the search has found: counts and the refusal are brought up to date
    Listener* listener;   // may be null
  };
  StateEnds(const Parts& parts, AfterBug after_bug, Translate translate);
  StateEnds(const StateEnds&) = delete;
  StateEnds& operator=(const StateEnds&) = delete;

  // The bugs so far are taken from the exploration.
  void begin();

  // What the outcome is of the execution that has led to where the search is, if the System says this one.
  // The System may be somewhere else then.
  Outcome judge(Outcome outcome);

  // Each of these says why the search is to end now, if it is. The execution has ended that led to where the
  // search is, with this outcome; ...
  std::optional<Stop> note_end(Outcome outcome);
  // ... the same, if it was judged before, and is neither a bug nor refused; ...
  std::optional<Stop> note_pass();
  // ... one that went on from this state by these transitions; ...
  std::optional<Stop> note_end_from(StateNumber from, std::span<const std::uint32_t> indices);
  // ... one without an end violates what the question asks about: the last `loop` of its transitions come
  // again and again.
  std::optional<Stop> note_endless(const TemporalQuestion& question, std::span<const std::uint32_t> indices,
                                   std::uint64_t loop);

  // The bugs as they are told; and the same for the last time.
  std::vector<FoundBug> bugs() const { return told(ledger_.bugs()); }
  std::vector<FoundBug> take_bugs() { return told(ledger_.take()); }

 private:
  struct Way {
    std::vector<Transition> schedule;
    std::uint32_t preemptions = 0;
  };
  Way go_way(std::span<const std::uint32_t> indices);
  std::optional<Stop> note_outcome(Outcome outcome, std::optional<Way> way);
  std::optional<Stop> record_bug(std::optional<Way> way);
  std::optional<Stop> why_to_end();
  std::vector<FoundBug> told(std::vector<FoundBug> bugs) const;

  System& system_;
  SystemStates& states_;
  const WaysToStates& ways_;
  Exploration& so_far_;
  Listener* const listener_;
  const AfterBug after_bug_;
  const Translate translate_;
  BugLedger ledger_;
  std::map<std::string, Bug> told_bugs_;  // by Bug::key() of the one in the ledger, if they are translated
};

}  // namespace ravel
