// The one search loop: asks the strategy, steps the System, keeps what was taken, notes the bugs.
//
// The idea: the explorer holds the schedule of the current execution and a stack of snapshots of points that
// the strategy may return to. Rewinding restores the deepest snapshot that is not too deep and executes the
// rest of the kept steps again; a System without snapshots is reset and replayed.
//
// Invariants:
// 1. snapshots_ is sorted by depth, each depth <= schedule_.size(), and holds at most one per depth.
// 2. schedule_[d] is what was taken at depth d, out of `enabled` transitions; meeting another number of them
//    when a point is visited again means that the System is not deterministic, which is a failed CHECK.
// 3. Between executions nothing is assumed about the System's current state.
//
// Cost: six virtual calls an event, no allocation once the vectors have grown. Memory: the schedule and the
// snapshots of one execution, and the distinct bugs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.h"
#include "engine/bug_ledger.h"
#include "engine/exploration.h"
#include "engine/round_finder.h"
#include "engine/search_request.h"
#include "engine/search_services.h"
#include "engine/strategy.h"
#include "engine/system.h"
#include "engine/taken_step.h"

namespace ravel {

class Explorer : private SearchServices {
 public:
  // All references must outlive the explorer.
  Explorer(System& system, Strategy& strategy, const Limits& limits, Clock& clock,
           const Surroundings& surroundings = {});
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;
  ~Explorer() override = default;

  // Searches until the strategy is done or something stops it. REQUIRES: called once.
  Exploration run() { return run({}); }
  // The same, adding to what an interrupted search has found. REQUIRES: the strategy has read its position.
  Exploration run(Exploration so_far);

  // The steps of the execution that was run last.
  std::vector<Transition> schedule() const;
  // How many events its executions had that were cut off (Limits::unfinished_events_max).
  std::uint64_t unfinished_events() const { return unfinished_events_; }

 protected:
  enum class Ending : std::uint8_t { kOutcome, kEventBound, kFairRound, kUnfairRound, kAbandoned, kStopped };

  // Runs what is left of the current execution. An explorer for a System whose type is known overrides this
  // with execute_on(), so that a step is no virtual call: see explorer_loop.h.
  virtual Ending execute();
  template <class KnownSystem>
  Ending execute_on(KnownSystem& system);

 private:
  struct Saved {
    std::size_t depth;
    Snapshot snapshot;
  };
  // Of a KeptState.
  struct Kept {
    std::vector<TakenStep> steps;
    std::optional<Snapshot> snapshot;
  };
  Trials& trials() override { return trials_; }
  KeptState keep_state() override;
  void forget_state(KeptState state) override;

  void begin_as(const Plan& plan);
  void rewind(std::size_t keep);
  void go_to(const Kept& kept);
  void drop_last_snapshot();
  void drop_snapshots_after(std::size_t depth);
  std::uint32_t planned_step(std::span<const Transition> enabled);  // the index of the next of planned_
  void end_execution(Ending ending);
  void keep_or_release_snapshot(std::size_t alternatives, Return may_return);
  bool is_last_bug_again();
  // `length`: how many steps of the execution lead to it.
  void record_bug(Bug bug, std::size_t length);
  // Whether the execution has come to its bound, or goes round; asked at next_look_, which is the length
  // where it is to be asked again.
  std::optional<Ending> look_at_length();
  void find_round();  // in the current schedule: round_finder_
  void note_cut_off(Ending ending);
  void return_to_execution();
  void step_again(std::size_t from, std::size_t to);  // of the current schedule
  bool record_later_bugs(std::vector<FoundBug>& to_tell);
  std::optional<std::uint32_t> preemptions_to(const Bug& bug, std::span<const Transition> schedule);
  // Notes that a bug was met by such a schedule. Null: that is not to be kept.
  FoundBug* note_bug(const Bug& bug, const Simplicity& simplicity);
  // Of the first `length` steps.
  Simplicity simplicity_until(std::size_t length) const;
  void note_unreceived(Ending ending);
  // Whether something outside the search ends it; looks only now and then.
  bool should_stop() {
    if (until_look_ > 0) [[likely]] {
      --until_look_;
      return false;
    }
    return look_outside();
  }
  bool look_outside();
  bool is_told_to_stop();  // by the user, or by a budget
  void keep_if_due();
  std::uint32_t preemptions() const { return schedule_.empty() ? 0 : schedule_.back().preemptions; }

  System& system_;
  Strategy& strategy_;
  const Limits limits_;
  Clock& clock_;
  const Surroundings surroundings_;

  std::vector<TakenStep> schedule_;
  std::vector<Saved> snapshots_;
  Trials trials_;
  std::vector<std::optional<Kept>> kept_;  // by KeptState
  std::vector<std::uint32_t> free_kept_;   // of these, those that were forgotten
  std::span<const Transition> planned_;    // what is left of Plan::then
  std::size_t next_look_ = 0;              // at how long an execution is
  std::size_t looks_in_vain_ = 0, looks_skipped_ = 0;
  std::uint64_t unfinished_events_ = 0;
  std::uint64_t long_work_ = 0;              // of the strategy, for the next execution: steps compared
  std::optional<RoundFinder> round_finder_;  // of the execution that ended with a round, fair or not
  std::size_t round_from_ = 0;               // the length at the first state that it has noted
  std::uint32_t expected_enabled_ = 0;       // at the next point, if it was visited before; else 0

  Exploration exploration_;
  BugLedger ledger_;
  double start_ = 0;
  double seconds_before_ = 0;  // of the interrupted search
  double next_estimate_ = 0;   // when the strategy is asked again
  double next_keeping_ = 0;
  double next_memory_look_ = 0;
  std::uint32_t until_look_ = 0;  // events until the clock and the interrupt flag are read again
};

}  // namespace ravel
