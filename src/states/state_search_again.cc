// How a search by states that several processes have shared goes on from where it was (shared_position.h):
// one process finds all their states again, in the order of their distance, by one step for each. It has them
// then as if it had been alone.

#include <limits>
#include <utility>

#include "base/check.h"
#include "states/state_search.h"

namespace ravel {

bool StateSearch::go_on_from(Exploration so_far, const StateTree& tree) {
  std::optional<std::string> position = std::exchange(so_far.position, std::nullopt);
  const std::uint64_t states = so_far.counts.states ? so_far.counts.states->states : 0;
  begin(std::move(so_far));
  if (states != tree.nodes.size() || (tree.base > 0 && !shared_strata_)) return false;
  // To come there costs nothing of the budget of time: else a small one would never get any further.
  budget_from_ = std::numeric_limits<double>::infinity();
  const std::uint64_t events = exploration_.counts.events;
  const bool is_there = restore(tree);
  exploration_.counts.events = events;
  note_counts();
  budget_from_ = exploration_.counts.seconds;
  if (is_over_) exploration_.position = std::move(position);
  return is_there || is_over_;
}

// What leads to other states is kept until these are found; what only looks may lead to any of them.
bool StateSearch::restore(const StateTree& tree) {
  auto open = tree.open.begin();
  for (const StateTree::Node& node : tree.nodes) {
    if (should_stop()) return false;
    if (tree.looks.empty()) part_->leave_done_before(node.parent);
    const bool is_open = open != tree.open.end() && open->state == ways_.size();
    if (!find_again(node, is_open ? &*open++ : nullptr)) return false;
  }
  for (const StateTree::Look& look : tree.looks) {
    if (should_stop()) return false;
    if (!look_again(look)) return false;
  }
  if (shared_strata_ && !tree.nodes.empty() && !shared_strata_->begin_again(tree)) return false;
  part_->leave_done();
  return true;
}

// `open`: null if it is not.
bool StateSearch::find_again(const StateTree::Node& node, const StateTree::Open* open) {
  const std::uint32_t number = ways_.size();
  const StateNumber from{node.parent};
  std::optional<StepMemory::Known> known;
  if (number == 0) {
    ways_.begin_anew();  // begin() has reset the System
  } else {
    if (ways_.origin(node.parent).is_end != 0 || node.index >= part_->enabled_in(node.parent)) return false;
    if (shared_strata_) {
      states_.go_to(from);
      if (!shared_strata_->repeat(node.parent, node.index)) return false;
    }
    if (may_repeat()) known = states_.repeat(*memory_, from, node.index);
    repeated_ += known ? 1 : 0;
    if (known)
      ways_.begin_step({.state = node.parent, .index = node.index});
    else
      step(from, node.index);
  }
  const bool is_running = known || system_.outcome() == Outcome::kRunning;
  const std::optional<MetState> met = known ? known->met : states_.number();
  if (!met || !met->is_new || met->number != StateNumber{number}) return false;
  if (is_running && !known) states_.be_in(met->number);
  const std::uint32_t enabled = !is_running ? 0
                                : known     ? known->enabled
                                            : static_cast<std::uint32_t>(system_.enabled().size());
  note_state(enabled);
  part_->note_again(open != nullptr, open == nullptr || shared_strata_ ? 0 : open->first);
  if (shared_strata_) shared_strata_->note_again(met->number, enabled, open);
  if (!is_running) states_.leave(met->number);
  return true;
}

// Its step was counted before.
bool StateSearch::look_again(const StateTree::Look& look) {
  if (!notes_looks()) return true;
  const StateNumber from{look.state};
  if (ways_.origin(look.state).is_end != 0 || look.index >= part_->enabled_in(look.state)) return false;
  step(from, look.index);
  if (system_.outcome() != Outcome::kRunning || (system_.letter().step & kOnlyLooked) == 0) return false;
  const std::optional<MetState> met = states_.number();
  if (!met || met->is_new) return false;
  note_look(from, look.index);
  return true;
}

}  // namespace ravel
