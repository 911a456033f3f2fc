// A search by states that several processes have parts of (shared_part.h): it goes on from what is open, and
// takes pieces of others.

#include <utility>

#include "base/check.h"
#include "states/state_search.h"

namespace ravel {

namespace {

constexpr const char kPieceMakesNoSense[] =
    "a piece of the search makes no sense: nondeterminism that is not under control";

}  // namespace

void StateSearch::search_shared() {
  if (shared_strata_) return search_shared_strata();
  while (next_.state < ways_.size()) {
    if (part_->is_to_go_on_from(next_.state)) expand_shared(next_.state);
    if (is_over_) return;  // from there on it is to go on
    ++next_.state;
  }
}

void StateSearch::expand_shared(std::uint32_t number) {
  const StateNumber state{number};
  next_.index = part_->first_step_from(number);
  if (should_stop()) return;
  const std::uint32_t enabled = part_->enabled_in(number);
  for (; next_.index < enabled; ++next_.index) {
    if (should_stop()) return;
    take(state, next_.index);
    if (part_->has_learnt() || exploration_.stop == Stop::kMemoryBudget) {
      --counts_.transitions;  // it is to be taken once more
      return;
    }
  }
  if (is_over_) return;
  part_->note_done(number);
  part_->leave_done();
}

// If the last step, which has led to where the search is, was one.
void StateSearch::note_look(StateNumber from, std::uint32_t index) {
  if (!notes_looks() || (system_.letter().step & kOnlyLooked) == 0) return;
  const SharedPart::Sharing& sharing = part_->sharing();
  sharing.looking->note(part_->hash_of(static_cast<std::uint32_t>(from)), index, enabled_before_,
                        sharing.states->last(), system_);
  part_->note_look(static_cast<std::uint32_t>(from), index);
}

Exploration StateSearch::go_on() {
  if (!has_begun_) begin({});
  if (!is_over_ && ways_.size() == 0) {
    search();
  } else if (!is_over_) {
    next_ = {.state = part_->first_kept(), .index = 0};
    search_shared();
  }
  return found_so_far();
}

Exploration StateSearch::go_on_with(const StatePiece& piece) {
  if (piece.nodes.empty()) return go_on();
  if (!has_begun_) begin({});
  if (!is_over_) take_piece(piece);
  if (!is_over_) search_shared();
  return found_so_far();
}

Exploration StateSearch::found_so_far() {
  note_counts();
  Exploration now = exploration_;
  now.bugs = ends_.bugs();
  now.counts.bugs = now.bugs.size();
  add_places(now.assumed, system_.assumed());
  return now;
}

// The step to a node of a piece whose first node has this number. Nothing: the step was taken.
std::optional<StepMemory::Known> StateSearch::go_in_piece(const StatePiece::Node& node, std::uint32_t first) {
  const StateNumber from{first + node.parent};
  ways_.begin_step({.state = first + node.parent, .index = node.index});
  ++exploration_.counts.events;
  if (may_repeat()) {
    const std::optional<StepMemory::Known> known = states_.repeat(*memory_, from, node.index);
    repeated_ += known ? 1 : 0;
    if (known) return known;
  }
  states_.go_to(from);
  const std::span<const Transition> enabled = system_.enabled();
  CHECK_MESSAGE(node.index < enabled.size(), kPieceMakesNoSense);
  CHECK_MESSAGE(!shared_strata_ || shared_strata_->repeat(node.parent, node.index), kPieceMakesNoSense);
  const Transition transition = enabled[node.index];
  system_.step(transition);
  return std::nullopt;
}

// Numbers its states, which others have visited, as if they were new.
void StateSearch::take_piece(const StatePiece& piece) {
  const std::uint32_t first = ways_.size();
  next_ = {.state = first, .index = 0};
  part_->begin_piece();
  if (shared_strata_) shared_strata_->begin_piece();
  for (const StatePiece::Node& node : piece.nodes) {
    const std::uint32_t number = ways_.size();
    std::optional<StepMemory::Known> known;
    if (node.parent == StatePiece::kInitial) {
      ways_.begin_anew();
      system_.reset();
    } else {
      known = go_in_piece(node, first);
    }
    if (!known) {
      states_.forget_present();
      if (part_->learns()) break;
    }
    const std::optional<MetState> met = known ? known->met : states_.number();
    const bool is_right = met && met->number == StateNumber{number} &&
                          (known || system_.outcome() == Outcome::kRunning) &&
                          (!node.is_open || !part_->sharing().compares_hashes ||
                           node.hash == part_->sharing().states->last().low);
    CHECK_MESSAGE(is_right, kPieceMakesNoSense);
    if (!known) states_.be_in(met->number);
    note_state(known ? known->enabled : static_cast<std::uint32_t>(system_.enabled().size()));
    if (shared_strata_) shared_strata_->note_in_piece(met->number, node);
    part_->note_in_piece(number, node);
  }
  is_over_ = !part_->end_piece(piece, first);
  if (shared_strata_)
    shared_strata_->end_piece(!is_over_);
  else if (!is_over_)
    part_->leave_done();
}

}  // namespace ravel
