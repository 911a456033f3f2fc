#include "states/shared_part.h"

#include <algorithm>
#include <unordered_set>

namespace ravel {

namespace {

// How many steps the way to a piece may have: so many, and more for each of its states.
constexpr std::size_t kStepsToPiece = 4096, kStepsToEach = 16;

}  // namespace

void SharedPart::leave_all() {
  for (std::uint32_t state = first_kept_; state < ways_.size(); ++state) ways_.origin(state).is_done = true;
  leave_done();
}

void SharedPart::leave_done() {
  for (; first_kept_ < ways_.size() && !ways_.is_open(first_kept_); ++first_kept_) {
    if (ways_.origin(first_kept_).is_end == 0) states_.leave(StateNumber{first_kept_});
    kept_.pop_front();
  }
}

void SharedPart::begin_piece() {
  partly_taken_.reset();
  sharing_.states->repeat(true);
}

void SharedPart::note_in_piece(std::uint32_t state, const StatePiece::Node& node) {
  ways_.origin(state).is_done = !node.is_open;
  if (node.first > 0) partly_taken_ = Step{.state = state, .index = node.first};
}

bool SharedPart::end_piece(std::uint32_t first_state) {
  sharing_.states->repeat(false);
  has_refused_piece_ = has_learnt_;
  if (has_refused_piece_)
    for (std::uint32_t state = first_state; state < ways_.size(); ++state) ways_.origin(state).is_done = true;
  return !has_refused_piece_;
}

StatePiece SharedPart::give(Step at_hand) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t state = at_hand.state + 1; state < ways_.size(); ++state)
    if (is_to_go_on_from(state)) open.push_back(state);
  if (open.size() < kLeastToGive) return {};
  open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(open.size() / 2));
  StatePiece piece = piece_of(open, at_hand);
  if (!is_worth(piece, open.size())) return {};
  for (const std::uint32_t state : open) ways_.origin(state).is_done = true;
  return piece;
}

bool SharedPart::has_rest() const {
  for (std::uint32_t state = first_kept_; state < ways_.size(); ++state)
    if (ways_.is_open(state)) return true;
  return false;
}

StatePiece SharedPart::rest(Step at_hand) const {
  std::vector<std::uint32_t> open;
  for (std::uint32_t state = first_kept_; state < ways_.size(); ++state)
    if (ways_.is_open(state)) open.push_back(state);
  return piece_of(open, at_hand);
}

bool SharedPart::is_worth(const StatePiece& piece, std::size_t states) {
  return piece.nodes.size() <= kStepsToPiece + kStepsToEach * states;
}

StatePiece SharedPart::piece_of(const std::vector<std::uint32_t>& open, Step at_hand) const {
  StatePiece piece = piece_to(open);
  auto state = open.begin();
  for (StatePiece::Node& node : piece.nodes)
    if (node.is_open) {
      node.first = *state == at_hand.state ? at_hand.index : first_step_from(*state);
      ++state;
    }
  return piece;
}

StatePiece SharedPart::piece_to(const std::vector<std::uint32_t>& open) const {
  std::vector<std::uint32_t> all = open;
  std::unordered_set<std::uint32_t> known(open.begin(), open.end());
  for (const std::uint32_t state : open)
    for (Step from = ways_.origin(state).from;
         from.index != WaysToStates::kNone && known.insert(from.state).second;
         from = ways_.origin(from.state).from)
      all.push_back(from.state);
  std::ranges::sort(all);
  const auto place_of = [&](std::uint32_t state) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(all, state) - all.begin());
  };
  StatePiece piece;
  for (const std::uint32_t state : all) {
    StatePiece::Node& node = piece.nodes.emplace_back();
    const Step from = ways_.origin(state).from;
    if (from.index != WaysToStates::kNone) {
      node.parent = place_of(from.state);
      node.index = from.index;
    }
    node.is_open = std::ranges::binary_search(open, state);
    if (node.is_open) node.hash = hash_of(state).low;
  }
  return piece;
}

}  // namespace ravel
