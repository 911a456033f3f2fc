// What a search has found: in the transitions of one System, or in logical names, which mean the same in
// every process.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/assumption.h"
#include "engine/bug.h"
#include "engine/coverage.h"
#include "engine/hashed_states.h"
#include "engine/lasso.h"
#include "engine/named_step.h"
#include "engine/strategy.h"
#include "engine/transition.h"

namespace ravel {

// A variable as the source names it.
struct NamedVariable {
  std::string name;  // "balance", "block 2 of list.cc:17+8"
  std::string file;  // of what made it; empty: nothing did
  std::uint32_t line = 0;
  std::uint64_t number = 0;  // then: the how-many-th that the same calls made, from 1
};

// A distinct bug, with the simplest schedule that was seen to lead to it: fewest timeouts that fire early,
// then fewest preemptions, then fewest events, then first found.
template <class Step>
struct FoundBugOf {
  Bug bug;
  std::vector<Step> schedule;
  std::uint32_t preemptions = 0;
  std::uint64_t executions = 0;               // how many executions ended in this bug
  std::uint64_t first_execution = 0;          // the number of the first one, from 1
  std::optional<BugBounds> bounds = {};       // of the schedule
  std::vector<NamedVariable> variables = {};  // variables of the bounds, as far as they have names
  std::optional<Lasso> lasso = {};            // if only an execution without an end shows the bug
};

// Of a search by states.
struct StateCounts {
  std::uint64_t states = 0;       // distinct ones, with the initial one
  std::uint64_t transitions = 0;  // that were taken from them, each once
  std::uint64_t depth = 0;        // the most steps from the initial state, on the ways that were found first
  std::uint64_t bytes = 0;        // that the states take
  std::uint64_t reduced = 0;      // of the states, those in which not all transitions had to be taken
  std::uint64_t replayed = 0;     // steps that were taken again to go to states, where none is kept
};

struct Counts {
  std::uint64_t executions = 0;  // completed ones, each schedule once
  std::uint64_t redundant = 0;   // completed ones that repeated an earlier schedule
  std::uint64_t abandoned = 0;   // executions that the strategy gave up
  std::uint64_t in_turns = 0;    // further completed ones, of another strategy that took turns with this one
  // Completed executions that had not ended after Limits::events_max, or went round unfairly
  std::uint64_t cut_off = 0;
  std::uint64_t unfinished = 0;  // part of cut_off, leaves the search incomplete (LongExecutions::kCutOff)
  // Part of unfinished: an actor looks again and again, and others are not let go on
  std::uint64_t unfair = 0;
  std::uint64_t events = 0;      // steps that were executed, with those that were executed again
  std::uint64_t events_max = 0;  // of one execution
  std::uint64_t bugs = 0;        // distinct ones
  std::uint64_t erroneous = 0;   // of the completed executions, those with a bug
  double seconds = 0;
  Coverage coverage;
  std::optional<StateCounts> states = {};
  std::optional<HashedStates> hashed = {};    // if only hashes of these are kept
  std::optional<double> executions_estimate;  // in all, while the search is not complete
};

// The counts of a search in two parts: the numbers of both, and of the later one what is about the whole
// search.
Counts sum(const Counts& before, const Counts& later);

enum class Stop : std::uint8_t {
  kComplete,  // the strategy has nothing left
  kFirstBug,
  kUnsupported,
  kTimeBudget,
  kExecutionBudget,
  kInterrupted,
  kMemoryBudget,
  kTooLong,  // executions come to their bound on events, again and again
};

// Whether the search could go on later: a budget is used up, or the user has ended it.
constexpr bool is_interruption(Stop stop) {
  return stop == Stop::kTimeBudget || stop == Stop::kExecutionBudget || stop == Stop::kMemoryBudget ||
         stop == Stop::kInterrupted;
}

// Messages that no receive took: of the first execution that left some, if possible of one that was not cut
// off.
template <class Step>
struct UnreceivedMessagesOf {
  std::vector<Step> schedule;
  std::uint64_t messages = 0;    // in that execution
  std::uint64_t executions = 0;  // executions that left messages
  bool is_complete = false;      // nobody could move any more
};

template <class Step>
struct SearchResultOf {
  std::string strategy;
  Counts counts;
  Stop stop = Stop::kComplete;
  std::vector<FoundBugOf<Step>> bugs;  // in the order in which they were first found
  std::optional<Refusal> refusal;      // if stop == kUnsupported
  std::optional<UnreceivedMessagesOf<Step>> unreceived;
  std::vector<AssumedPlace> assumed = {};  // where what the search takes for granted decided something
  std::string promise;                     // Strategy::promise(), at the end
  std::optional<std::string> position;     // of the strategy, if a budget or the user ended the search
};

// In the transitions of the System that was searched.
using FoundBug = FoundBugOf<Transition>;
using UnreceivedMessages = UnreceivedMessagesOf<Transition>;
using Exploration = SearchResultOf<Transition>;

// In logical names.
using NamedBug = FoundBugOf<NamedStep>;
using SearchResult = SearchResultOf<NamedStep>;

// `of_lassos`: the System in whose transitions executions without an end are; null: the same one.
SearchResult name_result(const Exploration& exploration, const System& system,
                         const System* of_lassos = nullptr);
// What that is in this System, which is left in some state. Nothing: one of the schedules is not possible
// there.
std::optional<Exploration> find_result(const SearchResult& result, System& system);

}  // namespace ravel
