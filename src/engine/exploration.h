// What a search is allowed to do, what it tells while it works, and what it has found at the end.

#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/assumption.h"
#include "engine/bug.h"
#include "engine/strategy.h"
#include "engine/transition.h"

namespace ravel {

// As the source names it.
struct NamedVariable {
  std::string name;  // "balance", "block 2 of list.cc:17+8"
  std::string file;  // of what made it; empty: nothing did
  std::uint32_t line = 0;
  std::uint64_t number = 0;  // then: the how-many-th that the same calls made, from 1
};

// A distinct bug, with the simplest schedule that was seen to lead to it: fewest timeouts that fire early, then fewest
// preemptions, then fewest events, then first found.
struct FoundBug {
  Bug bug;
  std::vector<Transition> schedule;
  std::uint32_t preemptions = 0;
  std::uint64_t executions = 0;       // how many executions ended in this bug
  std::uint64_t first_execution = 0;  // the number of the first one, from 1
  std::optional<BugBounds> bounds = {};  // of the schedule
  std::vector<NamedVariable> variables = {};  // those of the bounds, as far as they have names
};

struct Counts {
  std::uint64_t executions = 0;  // completed ones, each schedule once
  std::uint64_t redundant = 0;   // completed ones that repeated an earlier schedule
  std::uint64_t abandoned = 0;   // those that the strategy gave up
  std::uint64_t in_turns = 0;    // completed ones, besides these, of another strategy that took turns with this one
  std::uint64_t cut_off = 0;     // of the completed ones, those that had not ended after Limits::events_max, or went round unfairly
  std::uint64_t unfinished = 0;  // of these, those for which the search is not complete (LongExecutions::kCutOff)
  std::uint64_t unfair = 0;      // of these, those that went round: somebody looks again and again, and others are not let go on
  std::uint64_t events = 0;      // steps that were executed, with those that were executed again
  std::uint64_t events_max = 0;  // of one execution
  std::uint64_t bugs = 0;        // distinct ones
  std::uint64_t erroneous = 0;   // of the completed executions, those with a bug
  double seconds = 0;
  Coverage coverage;
  std::optional<double> executions_estimate;  // in all, while the search is not complete
};

// Hears about a search. No method may change the strategy. on_bug() may step the System, because the
// explorer restores or resets it before the next execution.
class Listener {
 public:
  virtual ~Listener() = default;

  // Every few hundred events.
  virtual void on_progress(const Counts&) {}
  // In long work of the strategy between two executions: so many steps were compared since it was told last.
  virtual void on_long_work(std::uint64_t) {}
  // A bug that was not seen before, or a simpler schedule for one that was.
  virtual void on_bug(const FoundBug&) {}
  // Asked behind each execution. True: the search ends here, as if it was interrupted.
  virtual bool ends_search() { return false; }
};

enum class AfterBug : std::uint8_t { kStop, kKeepGoing };

// Of the whole process.
struct MemoryBudget {
  std::uint64_t bytes;
  std::uint64_t (*held)(std::uint64_t bytes);  // how many it holds; may give some back first if these are more than `bytes`
};

// What an execution is that comes to its bound on events, Limits::events_max.
enum class LongExecutions : std::uint8_t {
  kCutOff,   // it is not seen to its end, and so the search is not complete; if it goes round for ever, that is a bug
  kIgnored,  // it is cut off, and the search may be complete
  kBug,      // the bug "event_bound"
};

// A budget never changes which execution comes next, only whether there is one. It is for one run: what was done before an
// interrupted search was resumed does not count.
struct Limits {
  std::optional<double> seconds;
  std::optional<std::uint64_t> executions;
  std::optional<MemoryBudget> memory;
  std::uint64_t events_max = 10'000;  // of one execution
  LongExecutions long_executions = LongExecutions::kCutOff;
  std::uint64_t unfinished_events_max = 20'000'000;  // in executions that were cut off: then the search ends, as it gets nowhere
  AfterBug after_bug = AfterBug::kStop;
  const std::atomic<bool>* interrupt = nullptr;  // set from outside to stop the search
};

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

// Messages that no receive took: of the first execution that left some, if possible of one that was not cut off.
struct UnreceivedMessages {
  std::vector<Transition> schedule;
  std::uint64_t messages = 0;    // in that execution
  std::uint64_t executions = 0;  // that left some
  bool is_complete = false;      // nobody could move any more
};

// Whether the search could go on later: a budget is used up, or the user has ended it.
constexpr bool is_interruption(Stop stop) {
  return stop == Stop::kTimeBudget || stop == Stop::kExecutionBudget || stop == Stop::kMemoryBudget || stop == Stop::kInterrupted;
}

struct Exploration {
  std::string strategy;
  Counts counts;
  Stop stop = Stop::kComplete;
  std::vector<FoundBug> bugs;      // in the order in which they were first found
  std::optional<Refusal> refusal;  // if stop == kUnsupported
  std::optional<UnreceivedMessages> unreceived;
  std::vector<AssumedPlace> assumed = {};  // where what the search takes for granted decided something
  std::string promise;                  // Strategy::promise(), at the end
  std::optional<std::string> position;  // of the strategy, if a budget or the user ended the search
};

}  // namespace ravel
