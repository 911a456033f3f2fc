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
// the first to come to, nearest first, and gives some of them away when another one has nothing to do. By
// delays, what each of them visits is settled stratum by stratum (share_by_delays()).
//
// A state in which nothing can move any more has an outcome of its own. A step that ends the execution by a
// bug leads to no state: states are not blamed for how they were come to.
//
// Cost: a step, a number and mostly a go_to() for each transition. Memory: the System's states, and 16 bytes
// for each state on the way (depth first) or 12 for each state (breadth first, reduced, or with formulas).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "engine/exploration.h"
#include "engine/search_request.h"
#include "engine/step_memory.h"
#include "engine/system.h"
#include "explorers/explorer_needs.h"
#include "states/delay_strata.h"
#include "states/formula_search.h"
#include "states/frontier_samples.h"
#include "states/looking_steps.h"
#include "states/persistent_sets.h"
#include "states/polling_loops.h"
#include "states/shared_part.h"
#include "states/shared_position.h"
#include "states/shared_strata.h"
#include "states/state_ends.h"
#include "states/state_piece.h"
#include "states/state_steps.h"
#include "states/system_states.h"
#include "states/temporal_question.h"
#include "states/ways_to_states.h"

namespace ravel {

// How a search by delays comes back to states.
struct ReturningToStates {
  // The System keeps hashes of states, and goes to each by the way on which it was found.
  bool by_ways = false;
  std::size_t memory_max = Frontier::kMemoryMax;  // of what notes them; the rest goes to a file
};

class StateSearch final : private StateSteps {
 public:
  using Told = StateEnds::Told;
  using Translate = StateEnds::Translate;
  using Sharing = SharedPart::Sharing;

  // All references must outlive the search. REQUIRES: the System numbers its states, and has numbered none.
  StateSearch(System& system, StateOrder order, const Limits& limits, Clock& clock,
              const Surroundings& surroundings = {}, Translate translate = {});
  StateSearch(const StateSearch&) = delete;
  StateSearch& operator=(const StateSearch&) = delete;

  // That executions without an end are to be asked about, one after the other. REQUIRES: the order is depth
  // first; System::propositions() are those of the questions.
  void ask(std::vector<TemporalQuestion> questions) {
    if (questions.empty()) return;
    formulas_.emplace(static_cast<StateSteps&>(*this), std::move(questions));
    ways_.keep_all();
  }
  // That loops in which nobody does anything but look are livelocks (polling_loops.h). REQUIRES: the System
  // knows the number of a state that it meets again, and says which steps only look.
  void look_for_polling(Fairness fairness) {
    polling_.emplace();
    fairness_of_polling_ = std::max(fairness, Fairness::kWeak);
  }
  // That steps which the System knows from before are not taken again (engine/step_memory.h).
  void repeat_steps(StepMemory& memory) { memory_ = &memory; }
  std::uint64_t repeated_steps() const { return repeated_; }  // instead of being taken
  // That orders of independent steps are left out (persistent_sets.h). REQUIRES: the order is depth first,
  // and there are no questions, faults or early timeouts.
  void reduce() {
    reduction_.emplace(
        system_, [this](StateNumber state) { states_.go_to_anew(state); },
        [this](StateNumber state) { states_.leave(state); });
    ways_.keep_all();
  }

  // In which order, if it is that by delays, and after how many it ends. REQUIRES: the search is of that
  // order, and the System goes to any state that it has numbered, as told.
  void delay(std::unique_ptr<const DelayingExplorer> explorer, std::optional<std::uint32_t> delays_max,
             const ExplorerNeeds& needs = {}, const ReturningToStates& returning = {}) {
    CHECK(returning.by_ways || !system_.hashed_states());
    strata_.emplace(
        system_, std::move(explorer), needs, delays_max, [this](StateNumber state) { states_.go_to(state); },
        returning.memory_max);
  }

  // That a search by delays does not take all there is: when it has taken half of the time or four fifths of
  // the memory, or has come to its last stratum, executions are drawn that begin at states which it has put
  // off (frontier_samples.h), so many of them or until a budget ends it. REQUIRES: delay() was called before.
  void sample_after_strata(std::uint64_t seed, std::optional<std::uint64_t> executions) {
    sampling_.emplace(Sampling{.seed = seed, .executions = executions});
  }

  // ---- Several processes (shared_part.h, state_search_pieces.cc)

  // That other processes visit the same states. The System may have numbered some, if all were left since.
  // REQUIRES: the order is breadth first; there are no questions, and nothing is reduced or looked for
  // besides. Its position is told by all together (take_notes()).
  void share(Sharing sharing) {
    part_.emplace(std::move(sharing), ways_, states_);
    states_.count_anew();
    tells_position_ = false;
  }
  // The same by delays of an explorer (shared_strata.h). REQUIRES: the order is that; else as share(), and as
  // delay().
  void share_by_delays(Sharing sharing, std::unique_ptr<const DelayingExplorer> explorer,
                       std::optional<std::uint32_t> delays_max, const ExplorerNeeds& needs = {}) {
    sharing.states->be_rank(0);
    share(std::move(sharing));
    shared_strata_.emplace(system_, std::move(explorer), needs, delays_max, *part_, states_);
  }
  // REQUIRES: share() was called.
  SharedPart& part() { return *part_; }
  // Null if the search is not by delays.
  SharedStrata* shared_strata() { return shared_strata_ ? &*shared_strata_ : nullptr; }
  // Of the state that it goes on from now.
  std::uint32_t distance() const { return ways_.origin(next_.state).depth; }
  // In the place of run(), or after it: goes on from what is open, and what that leads to.
  Exploration go_on();
  // The same with the states of a piece. Nothing is left open before that, but what
  // SharedPart::limit_distance() forbids.
  Exploration go_on_with(const StatePiece& piece);
  // SharedPart::give(), rest() and has_rest().
  StatePiece give() { return shared_strata_ ? shared_strata_->give() : part_->give(next_); }
  StatePiece rest() { return shared_strata_ ? shared_strata_->rest() : part_->rest(next_); }
  bool has_rest() const { return shared_strata_ ? shared_strata_->has_rest() : part_->has_rest(); }
  // By delays, when all have run their chains and these are settled, or the search ends: what the chains up
  // to this rank have found counts from now on, and nothing is left; ...
  Exploration settle(std::uint64_t last_rank);
  // ... or all count, and the next stratum begins (SharedStrata::begin_next).
  Exploration go_on_in_next_stratum(std::span<const std::uint64_t> firsts, std::uint64_t base);
  // What is ordered of these and go_on(). `report`: of a check.
  Exploration obey(const StratumOrder& order, std::optional<StratumReport>& report);
  // The last steps' places among the enabled ones, from the initial state on.
  std::vector<std::uint32_t> way() const { return ways_.indices(); }
  // What was found so far.
  Exploration found_so_far();
  // SharedPart::take_notes(), of what was found so far; or SharedStrata::take_notes().
  StateNotes take_notes() { return shared_strata_ ? shared_strata_->take_notes() : part_->take_notes(next_); }
  std::uint32_t states_of_part() const { return ways_.size(); }  // that have a number here
  // Begins where several processes were: with all their states. Whether that is possible, as with the other
  // go_on_from(). Something may end it on the way; it is where it was then. REQUIRES: share() was called;
  // nobody has any states yet.
  bool go_on_from(Exploration so_far, const StateTree& tree);

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
    if (shared_strata_) return shared_strata_->complaints();
    return strata_ ? strata_->complaints() : std::vector<std::string>();
  }

 private:
  using Step = WaysToStates::Step;
  struct Sampling {
    std::uint64_t seed = 0;
    std::optional<std::uint64_t> executions = {};
    bool has_begun = false;
  };
  void begin(Exploration so_far);
  void search();
  void search_depth_first();
  void search_breadth_first();
  void search_shared();
  void expand_shared(std::uint32_t state);
  void take_piece(const StatePiece& piece);
  void search_shared_strata();
  void take_of_chain(Step next);
  enum class Stratum : std::uint8_t { kSettled, kMayBeUnsettled };
  void settle_chains(std::uint64_t last_rank, Stratum stratum);
  void attend_stratum() {
    if (part_->sharing().attend_stratum) part_->sharing().attend_stratum();
  }
  std::optional<Stop> settle_end(const SharedStrata::Chain& chain);
  std::optional<StepMemory::Known> go_in_piece(const StatePiece::Node& node, std::uint32_t first);
  void search_reduced(StateNumber initial);
  void search_by_delays();
  void begin_samples();
  void draw_samples();
  void draw_sample();
  void look_for_polling_loop();
  void record_endless(const TemporalQuestion& question, std::span<const std::uint32_t> indices,
                      std::uint64_t loop) override;
  Arrival take(StateNumber from, std::uint32_t index) override;
  std::span<const Transition> enabled_in(StateNumber state) override;
  std::uint32_t states() const override { return ways_.size(); }
  void step(StateNumber from, std::uint32_t index);
  Arrival arrive();
  bool notes_looks() const { return part_ && part_->sharing().looking != nullptr; }
  void note_look(StateNumber from, std::uint32_t index);
  // What looks at a step itself needs that it is taken. Steps that only look are not known.
  bool may_repeat() const {
    return memory_ != nullptr && !reduction_ && !strata_ && !shared_strata_ && memory_->remembers_steps();
  }
  Arrival note_met(const MetState& met, const Letter& letter, std::uint32_t enabled);
  void note_state(std::uint32_t enabled);
  // The search is over for this reason, if there is one and it is not over yet.
  void end(std::optional<Stop> why);
  // Where it is (state_search_position.cc).
  bool has_position() const { return tells_position_ && !formulas_ && !reduction_; }
  std::string position() const;
  void keep_if_due();
  bool restore(std::string_view position);
  bool restore(const StateTree& tree);
  bool find_again(const StateTree::Node& node, const StateTree::Open* open);
  bool look_again(const StateTree::Look& look);
  bool take_steps_again(std::string_view discoveries, std::uint64_t states);
  bool take_step_again(Step from, std::uint32_t number);
  bool meet_again(StateNumber state);
  void leave_before(Step next);
  bool is_over() const override { return is_over_; }
  bool should_stop() override;
  void end_for_memory() override;
  bool is_told_to_stop();
  void note_counts();

  System& system_;
  const StateOrder order_;
  const Limits limits_;
  Clock& clock_;
  const Surroundings surroundings_;

  SystemStates states_{system_};
  WaysToStates ways_;
  Exploration exploration_;
  StateEnds ends_;
  Step next_ = {.state = 0, .index = 0};  // breadth first
  std::optional<ActorId> last_actor_;     // of the last transition
  StepMemory* memory_ = nullptr;          // of the System
  std::uint64_t repeated_ = 0;
  std::optional<PersistentSets> reduction_;
  std::optional<SharedPart> part_;             // if others share in the search
  std::optional<SharedStrata> shared_strata_;  // the same by delays
  std::optional<DelayStrata> strata_;
  std::optional<Sampling> sampling_;
  std::optional<FrontierSamples> samples_;  // since they have begun
  std::optional<PollingLoops> polling_;     // until one was found
  Fairness fairness_of_polling_ = Fairness::kWeak;
  std::vector<Transition> enabled_before_;  // the last step
  std::optional<FormulaSearch> formulas_;   // if there are questions
  bool has_begun_ = false, is_over_ = false, tells_position_ = true;

  StateCounts counts_;
  std::vector<std::string> growing_;
  double start_ = 0, seconds_before_ = 0, budget_from_ = 0, next_keeping_ = 0;
  std::uint64_t executions_before_ = 0;
  std::uint32_t left_ = 0;  // when steps are taken again, breadth first: the states that were left
  double next_memory_look_ = 0;
  std::uint32_t until_look_ = 0;
};

}  // namespace ravel
