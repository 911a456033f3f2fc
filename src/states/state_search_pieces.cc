// A search by states that several processes have parts of.
//
// Each process numbers the states that it was the first to come to, and goes on from them in that order. So
// the ways to states are short, and those that it has still to go on from have much of their ways in common:
// a piece of them costs whoever takes it one step for each state of these ways. That is also why a piece is
// a half of them that stand together.

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/check.h"
#include "states/state_search.h"

namespace ravel {

namespace {

// Fewer states are not worth a piece.
constexpr std::size_t kLeastToGive = 16;

// How many steps the way to a piece may have: so many, and more for each of its states.
constexpr std::size_t kStepsToPiece = 4096, kStepsToEach = 16;

constexpr const char kNondeterminism[] =
    "a piece of the search makes no sense: nondeterminism that is not under control";

}  // namespace

void StateSearch::search_shared() {
  while (next_.state < origins_.size()) {
    if (is_left_open(next_.state) && origins_[next_.state].depth < distance_max_) expand_shared(next_.state);
    if (is_over_) return;  // from there on it is to go on
    ++next_.state;
  }
}

void StateSearch::expand_shared(std::uint32_t number) {
  const StateNumber state{number};
  next_.index = partly_taken_ && partly_taken_->state == number ? partly_taken_->index : 0;
  if (should_stop()) return;
  go_to(state);
  const auto enabled = static_cast<std::uint32_t>(system_.enabled().size());
  for (; next_.index < enabled; ++next_.index) {
    if (should_stop()) return;
    take(state, next_.index);
    if (has_learnt_) --counts_.transitions;
    if (has_learnt_ || exploration_.stop == Stop::kMemoryBudget) return;
  }
  if (is_over_) return;
  origins_[number].is_done = true;
  leave_done();
}

std::optional<MetState> StateSearch::number_state() {
  std::optional<MetState> met = system_.number_state();
  if (!sharing_ || !met || !met->is_new) return met;
  const auto number = static_cast<std::uint32_t>(met->number);
  if (origins_.empty()) first_number_ = number;
  met->number = StateNumber{number - first_number_};
  return met;
}

void StateSearch::leave_all() {
  for (std::size_t state = first_kept_; state < origins_.size(); ++state) origins_[state].is_done = true;
  leave_done();
}

void StateSearch::leave_done() {
  for (; first_kept_ < origins_.size() && !is_left_open(first_kept_); ++first_kept_) {
    if (origins_[first_kept_].is_end == 0) system_.leave(number_of_system(StateNumber{first_kept_}));
    hashes_.pop_front();
  }
}

Exploration StateSearch::go_on() {
  if (!has_begun_) {
    begin({});
    search();
  } else if (!is_over_) {
    next_ = {.state = first_kept_, .index = 0};
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
  now.bugs = told_bugs(ledger_.bugs());
  now.counts.bugs = now.bugs.size();
  add_places(now.assumed, system_.assumed());
  return now;
}

// Numbers its states, which others have visited, as if they were new.
void StateSearch::take_piece(const StatePiece& piece) {
  const auto first = static_cast<std::uint32_t>(origins_.size());
  next_ = {.state = first, .index = 0};
  partly_taken_.reset();
  sharing_->states->repeat(true);
  for (const StatePiece::Node& node : piece.nodes) {
    last_ = {};
    if (node.parent == StatePiece::kInitial) {
      system_.reset();
    } else {
      last_ = {.state = first + node.parent, .index = node.index};
      go_to(StateNumber{last_.state});
      const std::span<const Transition> enabled = system_.enabled();
      CHECK_MESSAGE(node.index < enabled.size(), kNondeterminism);
      const Transition transition = enabled[node.index];
      system_.step(transition);
      ++exploration_.counts.events;
    }
    present_.reset();
    has_learnt_ = sharing_->states->has_learnt();
    if (has_learnt_) break;
    const auto number = static_cast<std::uint32_t>(origins_.size());
    const std::optional<MetState> met = number_state();
    const bool is_right = met && met->number == StateNumber{number} &&
                          system_.outcome() == Outcome::kRunning &&
                          (!node.is_open || node.hash == sharing_->states->last().low);
    CHECK_MESSAGE(is_right, kNondeterminism);
    present_ = met->number;
    note_origin(false);
    origins_.back().is_done = !node.is_open;
    if (node.first > 0) partly_taken_ = Taken{.state = number, .index = node.first};
  }
  sharing_->states->repeat(false);
  is_over_ = has_refused_piece_ = has_learnt_;
  if (is_over_)
    for (std::size_t state = first; state < origins_.size(); ++state) origins_[state].is_done = true;
  else
    leave_done();
}

StatePiece StateSearch::give() {
  std::vector<std::uint32_t> open;
  for (std::uint32_t state = next_.state + 1; state < origins_.size(); ++state)
    if (is_left_open(state) && origins_[state].depth < distance_max_) open.push_back(state);
  if (open.size() < kLeastToGive) return {};
  open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(open.size() / 2));
  StatePiece piece = piece_of(open);
  if (piece.nodes.size() > kStepsToPiece + kStepsToEach * open.size()) return {};
  for (const std::uint32_t state : open) origins_[state].is_done = true;
  return piece;
}

bool StateSearch::has_rest() const {
  for (std::uint32_t state = first_kept_; state < origins_.size(); ++state)
    if (is_left_open(state)) return true;
  return false;
}

StatePiece StateSearch::rest() const {
  std::vector<std::uint32_t> open;
  for (std::uint32_t state = first_kept_; state < origins_.size(); ++state)
    if (is_left_open(state)) open.push_back(state);
  return piece_of(std::move(open));
}

// REQUIRES: the states are in the order of their numbers.
StatePiece StateSearch::piece_of(std::vector<std::uint32_t> open) const {
  std::vector<std::uint32_t> all = open;
  std::unordered_set<std::uint32_t> known(open.begin(), open.end());
  for (const std::uint32_t state : open)
    for (Taken from = origins_[state].from; from.index != kNone && known.insert(from.state).second;
         from = origins_[from.state].from)
      all.push_back(from.state);
  std::ranges::sort(all);
  const auto place_of = [&](std::uint32_t state) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(all, state) - all.begin());
  };
  StatePiece piece;
  for (const std::uint32_t state : all) {
    StatePiece::Node& node = piece.nodes.emplace_back();
    const Taken from = origins_[state].from;
    if (from.index != kNone) {
      node.parent = place_of(from.state);
      node.index = from.index;
    }
    node.is_open = std::ranges::binary_search(open, state);
    if (!node.is_open) continue;
    node.hash = hashes_[state - first_kept_].low;
    if (state == next_.state)
      node.first = next_.index;
    else if (partly_taken_ && partly_taken_->state == state)
      node.first = partly_taken_->index;
  }
  return piece;
}

}  // namespace ravel
