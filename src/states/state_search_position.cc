// Where a search by states is, to go on from there.
//
// The idea: states have the numbers of their discovery, so a state is noted as the transition by which it was
// found: how many numbers before its own the other state has, and the transition's place there, some two or
// three bytes. Who goes on takes one step for each state again, and none of the others. Also noted
// are the states on the way, or which one is to be expanded next, and the transitions that only look; of a
// search by delays what its strata have left.

#include <algorithm>
#include <limits>
#include <utility>

#include "states/state_search.h"

namespace ravel {

std::string StateSearch::position() const {
  PositionWriter writer;
  writer.put(counts_.states);
  writer.put_position(strata_ ? ways_.discoveries_by_origins() : ways_.discoveries());
  writer.put_all(ways_.on_way(), [&](const WaysToStates::OnWay& one) {
    writer.put(static_cast<std::uint32_t>(one.state));
    writer.put(one.next);
  });
  writer.put(next_.state);
  writer.put(next_.index);
  writer.put(polling_ ? 1 : 0);
  if (polling_) polling_->write_position(writer);
  if (strata_) {
    PositionWriter of_strata;
    strata_->write_position(of_strata);
    if (samples_) samples_->write_position(of_strata);
    writer.put_position(of_strata.bytes());
    if (sampling_) writer.put(samples_ ? 1 : 0);
  }
  return writer.bytes();
}

void StateSearch::keep_if_due() {
  Counts& counts = exploration_.counts;
  if (counts.seconds < next_keeping_ || !surroundings_.keep || !has_position()) return;
  note_counts();
  Exploration now = exploration_;
  now.stop = Stop::kInterrupted;
  now.bugs = ends_.bugs();
  add_places(now.assumed, system_.assumed());
  now.position = position();
  surroundings_.keep(now);
  note_counts();
  next_keeping_ = counts.seconds + surroundings_.keeping.between;
}

bool StateSearch::go_on_from(Exploration so_far) {
  const std::string position = std::exchange(so_far.position, std::nullopt).value_or("");
  begin(std::move(so_far));
  // To come there costs nothing of the budget of time: else a small one would never get any further.
  budget_from_ = std::numeric_limits<double>::infinity();
  if (!restore(position)) return false;
  note_counts();
  budget_from_ = exploration_.counts.seconds;
  if (is_over_) exploration_.position = position;  // there, again
  return true;
}

bool StateSearch::restore(std::string_view position) {
  PositionReader reader(position);
  const std::uint64_t states = reader.get();
  const std::string_view discoveries = reader.get_position();
  std::vector<WaysToStates::OnWay> on_way;
  reader.get_all([&] {
    const StateNumber state{reader.get32()};
    on_way.push_back({.state = state, .next = reader.get32(), .enabled = 0});
  });
  next_.state = reader.get32();
  next_.index = reader.get32();
  // Without it a loop was found before.
  if (reader.get() == 0)
    polling_.reset();
  else if (!polling_ || !polling_->read_position(reader))
    return false;
  const std::string_view strata = strata_ ? reader.get_position() : std::string_view();
  const bool samples = sampling_ && reader.get() != 0;
  if (!reader.is_complete() || states != counts_.states) return false;
  if (!take_steps_again(discoveries, states)) return is_over_;
  if (strata_) {
    PositionReader of_strata(strata);
    if (!strata_->read_position(of_strata)) return false;
    if (samples) begin_samples();
    if (samples && (!samples_ || !samples_->read_position(of_strata))) return false;
    return of_strata.is_complete();
  }
  // What is not on the way was left.
  while (ways_.on_way().size() > on_way.size()) {
    states_.leave(ways_.on_way().back().state);
    ways_.on_way().pop_back();
  }
  const auto go_on = [](WaysToStates::OnWay& known, const WaysToStates::OnWay& noted) {
    known.next = noted.next;
    return known.state == noted.state && noted.next <= known.enabled;
  };
  return std::ranges::equal(ways_.on_way(), on_way, go_on);
}

bool StateSearch::take_steps_again(std::string_view discoveries, std::uint64_t states) {
  if (states == 0) return false;
  const auto initial = states_.number();
  if (!initial || !initial->is_new || system_.outcome() != Outcome::kRunning) return false;
  states_.be_in(initial->number);
  if (!meet_again(initial->number)) return false;
  if (strata_) strata_->open_again(initial->number);
  if (ways_.keeps_all())
    ways_.add(Step{}, false);
  else
    ways_.on_way().push_back({initial->number, 0, static_cast<std::uint32_t>(system_.enabled().size())});
  PositionReader reader(discoveries);
  for (std::uint32_t number = 1; number < states; ++number) {
    if (should_stop()) return false;
    const std::uint64_t distance = reader.get();
    if (distance >= number) return false;
    const Step from = {.state = static_cast<std::uint32_t>(number - 1 - distance), .index = reader.get32()};
    if (!take_step_again(from, number)) return false;
  }
  if (order_ == StateOrder::kBreadthFirst) leave_before(next_);
  return reader.is_complete();
}

// The step by which the state of this number was found.
bool StateSearch::take_step_again(Step from, std::uint32_t number) {
  if (order_ == StateOrder::kBreadthFirst) {
    leave_before(from);
  } else if (!strata_) {
    while (!ways_.on_way().empty() && ways_.on_way().back().state != StateNumber{from.state}) {
      states_.leave(ways_.on_way().back().state);
      ways_.on_way().pop_back();
    }
    if (ways_.on_way().empty()) return false;
  }
  if (ways_.keeps_all() && ways_.origin(from.state).is_end != 0) return false;
  states_.go_to(StateNumber{from.state});
  const std::span<const Transition> enabled = system_.enabled();
  if (from.index >= enabled.size()) return false;
  const Transition transition = enabled[from.index];
  if (strata_ && !strata_->repeat(StateNumber{from.state}, from.index)) return false;
  system_.step(transition);
  states_.forget_present();
  const auto met = states_.number();
  if (!met || !met->is_new || met->number != StateNumber{number}) return false;
  if (!strata_) ways_.note_discovery(number, from);
  const bool is_end = system_.outcome() != Outcome::kRunning;
  if (ways_.keeps_all()) ways_.add(from, is_end);
  if (is_end) {
    states_.leave(met->number);
    return true;
  }
  states_.be_in(met->number);
  if (strata_) strata_->open_again(met->number);
  if (!ways_.keeps_all())
    ways_.on_way().push_back({met->number, 0, static_cast<std::uint32_t>(system_.enabled().size())});
  return meet_again(met->number);
}

bool StateSearch::meet_again(StateNumber state) {
  return !polling_ || polling_->meet(state, system_.enabled());
}

// Breadth first: the states that were expanded before this one.
void StateSearch::leave_before(Step next) {
  for (; left_ < next.state && left_ < ways_.size(); ++left_)
    if (ways_.origin(left_).is_end == 0) states_.leave(StateNumber{left_});
}

}  // namespace ravel
