// A search by states: each state of a System once, whatever way leads there, so that it ends also where
// executions do not.
//
// The idea: the System numbers its states (NumberedStates), and goes back to any of them. Depth first, the
// states on the way to the present one are kept with how many of their transitions were taken. Breadth first,
// numbers come in the order of distance, so the states that have still to be expanded are those from one
// number on, and each keeps by which transition it was found: the first bug has a shortest schedule.
//
// With formulas of temporal logic the states are visited in the order in which the search for fair cycles
// needs them (formula_search.h).
//
// Reduced, only some transitions of a state are taken (persistent_sets.h). By delays, an explorer says which
// transition comes next (delay_strata.h).
//
// Several processes visit the states of one program together (share()): each goes on from those that it was
// the first to come to, nearest first, and gives some of them away when another one has nothing to do.
//
// A state in which nothing can move any more has an outcome of its own. A step that ends the execution by a
// bug leads to no state: states are not blamed for how they were come to.
//
// Cost: a step, a number and mostly a go_to() for each transition. Memory: the System's states, and 16 bytes
// for each state on the way (depth first) or 12 for each state (breadth first, reduced, or with formulas).
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "engine/bug_ledger.h"
#include "engine/exploration.h"
#include "engine/position.h"
#include "engine/search_request.h"
#include "engine/system.h"
#include "explorers/explorer_needs.h"
#include "states/delay_strata.h"
#include "states/formula_search.h"
#include "states/frontier_samples.h"
#include "states/looking_steps.h"
#include "states/persistent_sets.h"
#include "states/polling_loops.h"
#include "states/shared_states.h"
#include "states/state_piece.h"
#include "states/state_steps.h"
#include "states/temporal_question.h"

namespace ravel {

// How a search by delays comes back to states.
struct ReturningToStates {
  // The System keeps hashes of states, and goes to each by the way on which it was found.
  bool by_ways = false;
  std::size_t memory_max = Frontier::kMemoryMax;  // of what notes them; the rest goes to a file
};

class StateSearch final : private StateSteps {
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

  // That executions without an end are to be asked about, one after the other. REQUIRES: the order is depth
  // first; System::propositions() are those of the questions.
  void ask(std::vector<TemporalQuestion> questions) {
    if (!questions.empty()) formulas_.emplace(static_cast<StateSteps&>(*this), std::move(questions));
  }
  // That loops in which nobody does anything but look are livelocks (polling_loops.h). REQUIRES: the System
  // knows the number of a state that it meets again, and says which steps only look.
  void look_for_polling(Fairness fairness) {
    polling_.emplace();
    fairness_of_polling_ = std::max(fairness, Fairness::kWeak);
  }
  // That orders of independent steps are left out (persistent_sets.h). REQUIRES: the order is depth first,
  // and there are no questions, faults or early timeouts.
  void reduce() {
    reduction_.emplace(
        system_, [this](StateNumber state) { go_to_anew(state); },
        [this](StateNumber state) { system_.leave(state); });
  }

  // In which order, if it is that by delays, and after how many it ends. REQUIRES: the search is of that
  // order, and the System goes to any state that it has numbered, as told.
  void delay(std::unique_ptr<const DelayingExplorer> explorer, std::optional<std::uint32_t> delays_max,
             const ExplorerNeeds& needs = {}, const ReturningToStates& returning = {}) {
    CHECK(returning.by_ways || !system_.hashed_states());
    strata_.emplace(
        system_, std::move(explorer), needs, delays_max, [this](StateNumber state) { go_to(state); },
        returning.memory_max);
  }

  // That a search by delays does not take all there is: when it has taken half of the time or four fifths of
  // the memory, or has come to its last stratum, executions are drawn that begin at states which it has put
  // off (frontier_samples.h), so many of them or until a budget ends it. REQUIRES: delay() was called before.
  void sample_after_strata(std::uint64_t seed, std::optional<std::uint64_t> executions) {
    sampling_.emplace(Sampling{.seed = seed, .executions = executions});
  }

  // ---- Several processes (state_search_pieces.cc)

  // What a search has to do with those of other processes.
  struct Sharing {
    SharedStates* states = nullptr;     // in which the System numbers its states
    std::function<void()> attend = {};  // called now and then, between two steps
    LookingSteps* looking = nullptr;    // where steps that only look are noted; null: nowhere
    bool by_levels = false;             // states are gone on from in the order of their distance, in all
  };
  // That other processes visit the same states. The System may have numbered some, if all were left since.
  // REQUIRES: the order is breadth first; there are no questions,
  // and nothing is reduced or looked for besides. Such a search has no position.
  void share(Sharing sharing) {
    sharing_ = std::move(sharing);
    tells_position_ = false;
  }
  // Goes on from no state at this distance or beyond it. With Sharing::by_levels.
  void limit_distance(std::uint32_t distance) { distance_max_ = distance; }
  // Of the state that it goes on from now.
  std::uint32_t distance() const { return origins_[next_.state].depth; }
  // In the place of run(), or after it: goes on from what is open, and what that leads to.
  Exploration go_on();
  // The same with the states of a piece. Nothing is left open before that, but what limit_distance() forbids.
  Exploration go_on_with(const StatePiece& piece);
  // About half of the states that could be gone on from now. Empty: there are few, or the way there would
  // cost too much. Nobody goes on from them here.
  StatePiece give();
  // All states that were not gone on from.
  StatePiece rest() const;
  bool has_rest() const;
  // Of a search that goes on in a copy of this process: forgets all states that are kept here.
  void leave_all();
  // Whether the last step has led to something that this process has only learnt by it. It does not go on
  // then, and the step counts as not taken.
  bool has_learnt() const { return has_learnt_; }
  // Whether that was on the way to the piece that it was given, of which nothing was gone on from.
  bool has_refused_piece() const { return has_refused_piece_; }
  // The last steps' places among the enabled ones, from the initial state on.
  std::vector<std::uint32_t> way() const { return indices_of_way(); }
  // What was found so far.
  Exploration found_so_far();

  // Begins where another search of the same program was. Whether that is possible: its position may be
  // damaged, or of another program. REQUIRES: called before run(); not of a search that has questions or is
  // reduced, which have no position.
  bool go_on_from(Exploration so_far);
  // That it is never to tell its position.
  void forget_position() { tells_position_ = false; }
  // Searches until every state was visited or something ends it. REQUIRES: called once.
  Exploration run();
  // After a search that was ended: what grows on the way to where it was (NumberedStates::what_grows).
  const std::vector<std::string>& growing() const { return growing_; }
  // The propositions of the questions that held in no state and after no step.
  std::vector<std::string> never_held() const {
    return formulas_ ? formulas_->never_held() : std::vector<std::string>();
  }
  // If more states than these are expected to have been left out, having visited the others proves nothing.
  static constexpr double kOmittedMax = 1e-3;
  // What the explorer has done wrong (ExplorerDriver::complaints).
  std::vector<std::string> complaints() const {
    return strata_ ? strata_->complaints() : std::vector<std::string>();
  }

 private:
  // A state on the way to the present one.
  struct OnWay {
    StateNumber state;
    std::uint32_t next;     // of its transitions, the first that was not taken
    std::uint32_t enabled;  // how many there are
  };
  struct Sampling {
    std::uint64_t seed = 0;
    std::optional<std::uint64_t> executions = {};
    bool has_begun = false;
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
    std::uint32_t is_end : 1;   // nothing can move there any more
    std::uint32_t depth : 30;   // the steps of this way
    std::uint32_t is_done : 1;  // it was gone on from, or another process does that: if others share in it
  };
  struct Way {
    std::vector<Transition> schedule;
    std::uint32_t preemptions = 0;
  };
  void begin(Exploration so_far);
  void search();
  void search_depth_first();
  void search_breadth_first();
  void search_shared();
  void expand_shared(std::uint32_t state);
  void take_piece(const StatePiece& piece);
  StatePiece piece_of(std::vector<std::uint32_t> open) const;
  void leave_done();
  std::optional<MetState> number_state();
  StateNumber number_of_system(StateNumber state) const {
    return StateNumber{first_number_ + static_cast<std::uint32_t>(state)};
  }
  bool is_unordered() const { return sharing_ && !sharing_->by_levels; }
  bool is_left_open(std::uint32_t state) const {
    return origins_[state].is_end == 0 && origins_[state].is_done == 0;
  }
  void search_reduced(StateNumber initial);
  void search_by_delays();
  void begin_samples();
  void draw_samples();
  void draw_sample();
  void note_end_of_sample(StateNumber from, std::span<const std::uint32_t> indices);
  void look_for_polling_loop();
  void record_endless(const TemporalQuestion& question, std::span<const std::uint32_t> indices,
                      std::uint64_t loop) override;
  std::vector<std::uint32_t> indices_of_way_to(StateNumber state) const;
  Arrival take(StateNumber from, std::uint32_t index) override;
  std::span<const Transition> enabled_in(StateNumber state) override {
    go_to(state);
    return system_.enabled();
  }
  std::uint32_t states() const override { return static_cast<std::uint32_t>(origins_.size()); }
  Arrival arrive();
  void go_to(StateNumber state);
  void go_to_anew(StateNumber state);
  void note_end(Outcome outcome);
  void note_outcome(Outcome outcome, std::optional<Way> way);
  void record_bug(std::optional<Way> way);
  void note_origin(bool is_end);
  void end_at_bug();
  Way go_way() { return go_way(indices_of_way()); }
  Way go_way(std::span<const std::uint32_t> indices);
  bool keeps_origins() const { return order_ != StateOrder::kDepthFirst || formulas_ || reduction_; }
  std::vector<FoundBug> told_bugs(std::vector<FoundBug> bugs);
  // Where it is (state_search_position.cc).
  bool has_position() const { return tells_position_ && !formulas_ && !reduction_; }
  std::string position() const;
  std::string discoveries_by_origins() const;
  void keep_if_due();
  bool restore(std::string_view position);
  bool take_steps_again(std::string_view discoveries, std::uint64_t states);
  bool take_step_again(Taken from, std::uint32_t number);
  bool meet_again(StateNumber state);
  void leave_before(Taken next);
  std::vector<std::uint32_t> indices_of_way() const;
  bool is_over() const override { return is_over_; }
  bool should_stop() override;
  void end_for_memory() override;
  bool is_told_to_stop();
  void note_counts();
  std::vector<StateNumber> samples_of_way() const;

  System& system_;
  const StateOrder order_;
  const Limits limits_;
  Clock& clock_;
  const Surroundings surroundings_;
  const Translate translate_;

  std::vector<OnWay> on_way_;              // depth first
  std::vector<Origin> origins_;            // by number, if keeps_origins()
  Taken last_;                             // last of all
  Taken next_ = {.state = 0, .index = 0};  // breadth first
  // Of each state but the initial one by which step it was found; by delays origins_ have it.
  PositionWriter discoveries_;
  std::optional<ActorId> last_actor_;  // of the last transition
  std::optional<PersistentSets> reduction_;
  std::optional<Sharing> sharing_;
  // Of the System's numbers the one that this search counts from, if others share in it.
  std::uint32_t first_number_ = 0;
  std::uint32_t distance_max_ = kNone;
  std::deque<Hash128> hashes_;         // of the states from first_kept_ on
  std::uint32_t first_kept_ = 0;       // the first state that is not left, if others share in the search
  std::optional<Taken> partly_taken_;  // of such a piece: from where on a state is to be gone on from
  bool has_learnt_ = false, has_refused_piece_ = false;
  std::optional<DelayStrata> strata_;
  std::optional<Sampling> sampling_;
  std::optional<FrontierSamples> samples_;  // since they have begun
  std::optional<PollingLoops> polling_;     // until one was found
  Fairness fairness_of_polling_ = Fairness::kWeak;
  std::vector<Transition> enabled_before_;  // the last step
  std::optional<FormulaSearch> formulas_;   // if there are questions
  std::optional<StateNumber> present_;
  bool has_begun_ = false, is_over_ = false, tells_position_ = true;

  Exploration exploration_;
  StateCounts counts_;
  std::vector<std::string> growing_;
  BugLedger ledger_;
  std::map<std::string, Bug> told_bugs_;  // by Bug::key() of the one in the ledger, if they are translated
  double start_ = 0, seconds_before_ = 0, budget_from_ = 0, next_keeping_ = 0;
  std::uint64_t executions_before_ = 0;
  std::uint32_t left_ = 0;  // when steps are taken again, breadth first: the states that were left
  double next_memory_look_ = 0;
  std::uint32_t until_look_ = 0;
};

}  // namespace ravel
