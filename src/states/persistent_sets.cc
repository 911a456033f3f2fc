#include "states/persistent_sets.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace ravel {

void PersistentSets::set_known(StateNumber state, Known known) {
  const auto number = static_cast<std::size_t>(state);
  if (known_.size() <= number) known_.resize(number + 1);
  known_[number] = known;
}

std::span<PersistentSets::Move> PersistentSets::moves_of(Index open) {
  const std::size_t end = open + 1 < open_.size() ? open_[open + 1].first_move : moves_.size();
  return std::span(moves_).subspan(open_[open].first_move, end - open_[open].first_move);
}

void PersistentSets::open(StateNumber state, std::optional<ActorId> last) {
  const auto index = static_cast<Index>(open_.size());
  open_.push_back({.state = state,
                   .low = index,
                   .first_move = static_cast<Index>(moves_.size()),
                   .effects = Effects::kNone,
                   .takes_all = false});
  set_known(state, {.is_open = 1, .value = index});
  way_.push_back(index);
  bool is_ordinary = true;
  for (const Transition& transition : system_.enabled()) {
    moves_.push_back({.actor = transition.actor});
    is_ordinary = is_ordinary && transition.kind == TransitionKind::kOperation;
  }
  for (const ActorId blocked : system_.blocked())
    open_[index].effects = effects_.with(open_[index].effects, effects_.note_blocked(blocked));
  const std::span<const Move> moves = moves_of(index);
  const bool is_alone =
      std::ranges::all_of(moves, [&](const Move& move) { return move.actor == moves.front().actor; });
  if (is_ordinary && !is_alone)
    choose_first(index, last);
  else
    plan_all(index);
}

void PersistentSets::add_end(StateNumber state) {
  Effects::Set effects = Effects::kNone;
  for (const ActorId blocked : system_.blocked())
    effects = effects_.with(effects, effects_.note_blocked(blocked));
  set_known(state, {.is_open = 0, .value = static_cast<std::uint32_t>(effects)});
  if (!way_.empty()) open_[way_.back()].effects = effects_.join(open_[way_.back()].effects, effects);
}

// The actor whose step conflicts with the fewest others in what was seen lately, if possible the one that
// moved last. What is chosen makes no difference to what is found.
void PersistentSets::choose_first(Index open, std::optional<ActorId> last) {
  const StateNumber state = open_[open].state;
  std::vector<Transition> candidates;
  for (const Transition& transition : system_.enabled())
    if (candidates.empty() || candidates.back().actor != transition.actor) candidates.push_back(transition);
  const auto is_last = [&](const Transition& transition) { return transition.actor == last; };
  std::ranges::stable_partition(candidates, is_last);
  std::optional<ActorId> best;
  std::size_t fewest = 0;
  const Effects::Set seen = effects_.join(lately_, before_);
  bool is_there = true;
  for (const Transition& candidate : candidates) {
    if (!is_there) go_to_(state);
    is_there = false;
    const Event event = system_.step(candidate);
    const Effects::Step step = effects_.note(event, system_.outcome() != Outcome::kRunning, system_);
    const std::size_t conflicts = effects_.conflicting(step, seen).size();
    if (best && conflicts >= fewest) continue;
    best = candidate.actor;
    fewest = conflicts;
    if (fewest == 0) break;
  }
  plan(open, *best);
}

void PersistentSets::plan(Index open, ActorId actor) {
  bool can_move = false;
  for (Move& move : moves_of(open)) {
    if (move.actor != actor) continue;
    move.is_planned = true;
    can_move = true;
  }
  if (!can_move) plan_all(open);
}

void PersistentSets::plan_all(Index open) {
  open_[open].takes_all = true;
  for (Move& move : moves_of(open)) move.is_planned = true;
}

std::optional<PersistentSets::Choice> PersistentSets::next() {
  while (!way_.empty()) {
    const Index top = way_.back();
    const std::span<Move> moves = moves_of(top);
    const auto untaken =
        std::ranges::find_if(moves, [](const Move& move) { return move.is_planned && !move.is_taken; });
    if (untaken != moves.end()) {
      untaken->is_taken = true;
      taken_ = static_cast<Index>(&*untaken - moves_.data());
      return Choice{.state = open_[top].state, .index = static_cast<std::uint32_t>(untaken - moves.begin())};
    }
    const Index low = open_[top].low;
    if (low == top) {
      complete_component(top);
      continue;
    }
    way_.pop_back();
    open_[way_.back()].low = std::min(open_[way_.back()].low, low);
  }
  return std::nullopt;
}

void PersistentSets::note_step(const Event& event) {
  const auto is_other = [&](const Move& move) { return move.actor != event.actor; };
  const bool stops_others = system_.stops_others() || (system_.outcome() != Outcome::kRunning &&
                                                       std::ranges::any_of(moves_of(way_.back()), is_other));
  const Effects::Step step = effects_.note(event, stops_others, system_);
  moves_[taken_].step = step;
  OpenState& from = open_[way_.back()];
  from.effects = effects_.with(from.effects, step);
  lately_ = effects_.with(lately_, step);
  if (++steps_lately_ == kStepsLately) {
    before_ = std::exchange(lately_, Effects::kNone);
    steps_lately_ = 0;
  }
  if (stops_others) plan_all(way_.back());
  plan_who_cannot_move();
}

// An actor that the step keeps from moving is in conflict with it.
void PersistentSets::plan_who_cannot_move() {
  const Index top = way_.back();
  if (open_[top].takes_all || system_.leaves_others_out()) return;
  const std::span<const Transition> enabled = system_.enabled();
  for (const Move& move : moves_of(top)) {
    if (move.is_planned) continue;
    const bool still_can = std::ranges::any_of(enabled, [&](const Transition& transition) {
      return transition.actor == move.actor && transition.kind == TransitionKind::kOperation;
    });
    if (!still_can) plan(top, move.actor);
  }
}

void PersistentSets::note_met(StateNumber state) {
  OpenState& from = open_[way_.back()];
  const Known known = known_[static_cast<std::size_t>(state)];
  if (known.is_open != 0)
    from.low = std::min(from.low, Index{known.value});
  else
    from.effects = effects_.join(from.effects, Effects::Set{known.value});
}

// Closes the component of the state, which is the first one of it; or goes on where that is not enough.
void PersistentSets::complete_component(Index root) {
  Effects::Set effects = Effects::kNone;
  for (std::size_t i = root; i < open_.size(); ++i) effects = effects_.join(effects, open_[i].effects);
  bool is_complete = true;
  const auto end = static_cast<Index>(open_.size());
  for (Index i = root; i < end; ++i) {
    if (complete(i, effects)) continue;
    is_complete = false;
    if (i != root) way_.push_back(i);
  }
  if (is_complete) close(root, effects);
}

// Plans what has to be taken there besides, since this can happen afterwards; whether that is nothing.
bool PersistentSets::complete(Index open, Effects::Set after) {
  if (open_[open].takes_all) return true;
  to_plan_.clear();
  for (const Move& move : moves_of(open)) {
    if (!move.is_planned) {
      if (!effects_.moves(after, move.actor)) to_plan_.push_back(move.actor);
      continue;
    }
    for (const ActorId actor : effects_.conflicting(move.step, after)) to_plan_.push_back(actor);
  }
  bool is_complete = true;
  for (const ActorId actor : to_plan_) {
    const auto is_planned = [&](const Move& move) { return move.actor == actor && move.is_planned; };
    if (open_[open].takes_all || std::ranges::any_of(moves_of(open), is_planned)) continue;
    plan(open, actor);
    is_complete = false;
  }
  return is_complete;
}

void PersistentSets::close(Index root, Effects::Set effects) {
  for (auto i = static_cast<Index>(open_.size()); i-- > root;) {
    const std::span<const Move> moves = moves_of(i);
    if (!std::ranges::all_of(moves, &Move::is_planned)) ++reduced_;
    set_known(open_[i].state, {.is_open = 0, .value = static_cast<std::uint32_t>(effects)});
    leave_(open_[i].state);
    moves_.resize(open_[i].first_move);
    open_.pop_back();
  }
  way_.pop_back();
  if (!way_.empty()) open_[way_.back()].effects = effects_.join(open_[way_.back()].effects, effects);
}

std::uint64_t PersistentSets::bytes() const {
  return effects_.bytes() + known_.size() * sizeof(Known) + open_.size() * sizeof(OpenState) +
         moves_.size() * sizeof(Move);
}

}  // namespace ravel
