// The part that one process has of a search by states that several processes share: which of its states are
// open, that is, nobody has gone on from them yet, and the pieces of these that processes give each other.
//
// Each process numbers the states that it was the first to come to, and goes on from them in that order. So
// the ways to states are short, and those that it has still to go on from have much of their ways in common:
// a piece of them costs whoever takes it one step for each state of these ways. That is also why a piece is
// a half of them that stand together.
//
// What a position of the search has of this part (shared_position.h) is told by take_notes().
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "states/looking_steps.h"
#include "states/shared_states.h"
#include "states/state_notes.h"
#include "states/state_piece.h"
#include "states/system_states.h"
#include "states/ways_to_states.h"

namespace ravel {

class SharedPart {
 public:
  using Step = WaysToStates::Step;

  // What a search has to do with those of other processes.
  struct Sharing {
    SharedStates* states = nullptr;     // in which the System numbers its states
    std::function<void()> attend = {};  // called now and then, between two steps
    // By delays: called when a stratum but the first one has begun, before its steps. Null: nobody asks
    std::function<void()> attend_stratum = {};
    LookingSteps* looking = nullptr;  // where steps that only look are noted; null: nowhere
    bool by_levels = false;           // states are gone on from in the order of their distance, in all
    std::uint32_t visitor = 0;        // the number of this process among all visitors (state_notes.h)
    // Whether a state has the same hash in each process. Else a state of a piece is what its way leads to.
    bool compares_hashes = true;
    std::uint32_t steps_unattended = 256;  // at most so many between two calls of attend()
  };

  // Both must outlive this object. REQUIRES: `ways` keeps all.
  SharedPart(Sharing sharing, WaysToStates& ways, SystemStates& states)
      : sharing_(std::move(sharing)), ways_(ways), states_(states) {}

  const Sharing& sharing() const { return sharing_; }
  // No state at this distance or beyond it is gone on from. With Sharing::by_levels.
  void limit_distance(std::uint32_t distance) { distance_max_ = distance; }
  bool is_to_go_on_from(std::uint32_t state) const {
    return ways_.is_open(state) && ways_.origin(state).depth < distance_max_;
  }
  // The first step that is to be taken from there.
  std::uint32_t first_step_from(std::uint32_t state) const {
    const auto partly = std::ranges::find(partly_taken_, state, &Step::state);
    return partly == partly_taken_.end() ? 0 : partly->index;
  }

  // A state was added to the ways: the one that was numbered last, in which so many transitions are enabled.
  void note_state(std::uint32_t enabled) {
    kept_.push_back({.hash = sharing_.states->last(), .enabled = enabled});
  }
  // REQUIRES for these: it was not left.
  const Hash128& hash_of(std::uint32_t state) const { return kept_[state - first_kept_].hash; }
  std::uint32_t enabled_in(std::uint32_t state) const { return kept_[state - first_kept_].enabled; }
  // Nothing more is to be taken from this state.
  void note_done(std::uint32_t state) { ways_.origin(state).is_done = true; }
  // Leaves the states of which that is so, up to the first one of which it is not.
  void leave_done() { leave_done_before(ways_.size()); }
  // The same, but no state from this one on.
  void leave_done_before(std::uint32_t end);
  // Of a search that goes on in a copy of this process: forgets all states that are kept here.
  void leave_all();
  // The first state that is not left.
  std::uint32_t first_kept() const { return first_kept_; }

  // Whether the last step has led to something that this process has only learnt by it. It does not go on
  // then, and the step counts as not taken.
  bool learns() { return has_learnt_ = sharing_.states->has_learnt(); }
  bool has_learnt() const { return has_learnt_; }
  // Whether that was on the way to the piece that it was given, of which nothing was gone on from.
  bool has_refused_piece() const { return has_refused_piece_; }

  // Fewer states are not worth a piece.
  static constexpr std::size_t kLeastToGive = 16;
  // About half of the states that could be gone on from now, after the one at hand. Empty: there are few, or
  // the way there would cost too much. Nobody goes on from them here.
  StatePiece give(Step at_hand);
  // All states that were not gone on from.
  StatePiece rest(Step at_hand) const;
  bool has_rest() const;
  // Of the first state that is kept here. REQUIRES: has_rest().
  std::uint32_t first_distance() const { return ways_.origin(first_kept_).depth; }
  // These states, which are in the order of their numbers, and how to come to them. Nobody has taken a step
  // from there yet.
  StatePiece piece_to(const std::vector<std::uint32_t>& states) const;
  // What it tells of its states, if all steps were taken up to this one, which was not. What was told by the
  // last call is not told again.
  StateNotes take_notes(Step at_hand);
  // The same of a search by delays, which puts those that are open.
  StateNotes take_notes(StateNotesWriter writer);
  // A state was visited, but counts as visited no more.
  void note_given_back(std::uint32_t state) { given_back_.push_back(state); }
  // The step from a state only looks.
  void note_look(std::uint32_t state, std::uint32_t index) {
    looks_.push_back({.state = state, .index = index});
  }
  // Of a search that goes on from where it was: whether the state that was noted last is open, and from which
  // step on.
  void note_again(bool is_open, std::uint32_t first);
  // Whether the way to a piece of so many states does not cost too much.
  static bool is_worth(const StatePiece& piece, std::size_t states);

  // A piece is taken: between these, its states are numbered, although others have visited them; each is
  // noted as open or not, and from which step on. False at the end: it is refused.
  void begin_piece();
  void note_in_piece(std::uint32_t state, const StatePiece::Node& node);
  // `first_state`: the number of its first one.
  bool end_piece(const StatePiece& piece, std::uint32_t first_state);

 private:
  // States that came with a piece, as they are to be told.
  struct Taken {
    std::uint32_t begin = 0, count = 0;  // their numbers
    std::string states;                  // StateNotesWriter::states_of_piece()
  };
  StatePiece piece_of(const std::vector<std::uint32_t>& open, Step at_hand) const;

  const Sharing sharing_;
  WaysToStates& ways_;
  SystemStates& states_;
  std::uint32_t distance_max_ = WaysToStates::kNone;
  struct Kept {
    Hash128 hash;
    std::uint32_t enabled;
  };
  std::deque<Kept> kept_;  // the states from first_kept_ on
  std::uint32_t first_kept_ = 0;
  std::vector<Step> partly_taken_;         // of a piece: from where on a state is to be gone on from
  std::uint32_t told_ = 0;                 // so many states were told by take_notes(),
  std::vector<Taken> taken_;               // and these not yet,
  std::vector<std::uint32_t> given_back_;  // nor that these count as visited no more,
  std::vector<Step> looks_;                // nor these steps that only look
  bool has_learnt_ = false, has_refused_piece_ = false;
};

}  // namespace ravel
