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

void SharedPart::leave_done_before(std::uint32_t end) {
  for (; first_kept_ < end && !ways_.is_open(first_kept_); ++first_kept_) {
    if (ways_.origin(first_kept_).is_end == 0) states_.leave(StateNumber{first_kept_});
    kept_.pop_front();
  }
}

void SharedPart::begin_piece() {
  partly_taken_.clear();
  sharing_.states->repeat(true);
}

void SharedPart::note_in_piece(std::uint32_t state, const StatePiece::Node& node) {
  ways_.origin(state).is_done = !node.is_open;
  if (node.first > 0) partly_taken_.push_back({.state = state, .index = node.first});
}

bool SharedPart::end_piece(const StatePiece& piece, std::uint32_t first_state) {
  sharing_.states->repeat(false);
  const std::uint32_t count = ways_.size() - first_state;
  taken_.push_back(
      {.begin = first_state, .count = count, .states = StateNotesWriter::states_of_piece(piece, count)});
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

void SharedPart::note_again(bool is_open, std::uint32_t first) {
  const std::uint32_t state = ways_.size() - 1;
  ways_.origin(state).is_done = !is_open;
  if (is_open && first > 0) partly_taken_.push_back({.state = state, .index = first});
}

StateNotes SharedPart::take_notes(Step at_hand) {
  StateNotesWriter writer;
  for (std::uint32_t state = first_kept_; state < ways_.size(); ++state)
    if (ways_.is_open(state))
      writer.put_open(state, state == at_hand.state ? at_hand.index : first_step_from(state));
  return take_notes(std::move(writer));
}

StateNotes SharedPart::take_notes(StateNotesWriter writer) {
  std::ranges::sort(given_back_);
  auto piece = taken_.begin();
  while (told_ < ways_.size()) {
    if (piece != taken_.end() && piece->begin == told_) {
      writer.put_piece(piece->states);
      told_ += piece->count;
      ++piece;
      continue;
    }
    const Step from = ways_.origin(told_).from;
    if (std::ranges::binary_search(given_back_, told_)) {
      writer.put_given_back();
    } else if (from.index == WaysToStates::kNone) {
      writer.put_initial();
    } else {
      writer.put_found(told_ - from.state, from.index);
    }
    ++told_;
  }
  taken_.clear();
  given_back_.clear();
  for (const Step& look : looks_) writer.put_look(look.state, look.index);
  looks_.clear();
  return writer.take(sharing_.visitor, ways_.size());
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
  StatePiece piece{.giver = sharing_.visitor};
  for (const std::uint32_t state : all) {
    StatePiece::Node& node = piece.nodes.emplace_back();
    node.number = state;
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
