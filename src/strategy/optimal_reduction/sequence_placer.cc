// Memory is polynomial in the length n of an execution: its events, with their footprints and clocks (n^2),
// and the wakeup trees of its nodes. As trees these have at most one leaf for each trace that is left, up to
// 2^(n+1) branches in programs that are known for it, of n readers and a writer or of n writers and a reader.
// But their parts are alike, and when there are many branches (TreeLimits::share_above) they are made a
// graph. For n readers and a writer that grows with n: 116 branches for 12 readers, where trees have 6,138,
// if it is made from the first branch on (tests/strategy/wakeup_trees_test.cc). That no program needs
// exponentially many is not shown, so there is a limit (TreeLimits::cut_above): where it is reached, of a
// wakeup sequence only the first step is kept, as with the source sets of the article on optimal reduction,
// so that from then on a node has a branch for each step at most that could be taken there. A branch is 20
// bytes, as equal steps are kept once (step_pool.h), and one that is to be executed in another order than
// that of its nodes has this order besides, 8 bytes an event. And up to 64 MiB for the hashes of the first 4
// million traces.
//
// Cut trees. What comes after a step that stands for a sequence is found by running whatever comes, with
// those asleep that only the rest of the sequence would have woken. So no trace is missed, but some may be
// run in vain, up to its end, and is counted as repeated: a message that a sleeping receive does not take may
// still be on its way. For the same reason only what happens in a sequence is taken for known, not what could
// come before it as well; and what is tried is tried after each first part of it.

#include "strategy/optimal_reduction/sequence_placer.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace ravel::reduction {

Place SequencePlacer::find(std::uint32_t number) {
  if (patience_.ends_after(sequence_.size())) return Place::kKnown;
  const Node& node = search_.nodes[number];
  node_ = number;
  commuting_.clear();
  path_.clear();
  sequence_.begin_comparison();
  const std::uint64_t whole = number < search_.own_from ? hash_of_whole() : 0;
  const Place place = compare_with_explored(node);
  if (place != Place::kInTree) return place;
  note_commuting(node);
  if (!descend(node.pending)) return Place::kKnown;
  if (number < search_.own_from) {
    // It goes there as a whole: what of it is needed depends on all that is in the tree by then.
    if (search_.asked_above.insert(whole)) search_.reaches_up = true;
    return Place::kKnown;
  }
  sequence_.mark_needs();
  for (Commuting& pair : commuting_) {
    if (pair.index == sequence_.size())
      pair.index = kNone;
    else if (sequence_.is_kept(pair.index))
      pair.event = sequence_.events()[pair.index];
  }
  return sequence_.leave_out_others() ? Place::kInTree : Place::kKnown;
}

// Whether a step that was explored here, or sleeps here, could come first; what wakes the sleepers is needed.
Place SequencePlacer::compare_with_explored(const Node& node) {
  const LastStep& last = sequence_.last();
  for (const std::vector<std::uint32_t>* const steps : {&node.asleep, &node.done})
    for (const std::uint32_t number : *steps) {
      const Step& step = search_.steps[number];
      const std::uint32_t waking = find_waking(step);
      if (waking == kNone) {
        const bool is_part = sequence_.needs(step.name);
        if (search_.is_cut && !is_part) continue;
        // What else it could have decided is seen only where it is run.
        if (search_.is_cut && last.is_tried && steps == &node.asleep && step.name == last.name &&
            last.name.event != node.step.event)
          continue;
        return is_part ? Place::kKnown : Place::kKnownByLuck;
      }
      if (waking < sequence_.size()) sequence_.mark_needed_at(waking);
    }
  return Place::kInTree;
}

// What the node does now depends on the last step, and on nothing before that.
void SequencePlacer::note_commuting(const Node& node) {
  const Occurrence& now = history_[node.event];
  if (!may_conflict(now.summary, sequence_.summary())) return;
  for (std::uint32_t i = 0; i < sequence_.size(); ++i)
    if (may_conflict(now.summary, sequence_.summary_at(i)) &&
        dependence(history_.touches(now), sequence_.touches_at(i)) == Dependence::kCoarse)
      commuting_.push_back({.index = i, .step = execution_.step_of(node.event)});
}

// Goes down the tree along the first branches that could come first in what is left of the sequence. False if
// one of them is a leaf: what it leads to will be run.
bool SequencePlacer::descend(std::uint32_t list) {
  while (list != kNone) {
    const WakeupTrees::Branch& branch = search_.trees[list];
    const Step& step = search_.steps[branch.step];
    const std::uint32_t waking = find_waking(step);
    if (waking != kNone || (search_.is_cut && !sequence_.needs(step.name))) {
      if (waking < sequence_.size()) sequence_.mark_needed_at(waking);
      list = branch.next_sibling;
      continue;
    }
    const bool is_known = sequence_.remove(step.name);
    if (branch.first_child == kNone) return false;
    sequence_.go_below(step.name, is_known);
    path_.push_back(list);
    list = branch.first_child;
  }
  return true;
}

// The first event of the sequence on which a step depends, size() for the last step; kNone if it can come
// before all of it.
std::uint32_t SequencePlacer::find_waking(const Step& step) {
  const std::uint32_t end = sequence_.size();
  const LastStep& last = sequence_.last();
  const std::span<const EventId> events = sequence_.events();
  const ActorId actor = step.name.event.actor;
  const std::uint32_t own = sequence_.first_of(actor);
  bool is_initial = own < end && is_same_step(step.name, execution_.step_of(events[own]));
  for (std::uint32_t i = 0; i < own && is_initial; ++i)
    if (!sequence_.is_removed(i) && history_.precedes(events[i], events[own])) is_initial = false;
  if (is_initial) return kNone;
  if (step.ends_all || may_conflict(step.summary, sequence_.summary()))
    for (std::uint32_t i = 0; i < own; ++i)
      if (!sequence_.is_removed(i) &&
          (step.ends_all || may_conflict(step.summary, sequence_.summary_at(i))) && depends_on(step, i))
        return i;
  if (own < end) return own;
  if (!sequence_.is_last_removed()) {
    if (last.name.event.actor == actor) return is_same_step(step.name, last.name) ? kNone : end;
    if (depends_on(step, end)) return end;
  }
  if (order_.can_come_first(step.name, node_, sequence_)) return kNone;
  sequence_.mark_all_needed();  // whatever it is that contradicts the step
  return end;
}

// Whether a step at the node and number `index` of the sequence, or its last step, depend on each other.
bool SequencePlacer::depends_on(const Step& step, std::uint32_t index) {
  const bool is_last = index == sequence_.size();
  if (step.ends_all || (is_last && sequence_.last().ends_all)) return true;
  const Dependence found = dependence(step.touches, sequence_.touches_at(index));
  if (found != Dependence::kCoarse) return found == Dependence::kPlain;
  if (trials_.depend_closely(node_, step, index)) return true;
  commuting_.push_back({.index = index, .step = step.name});
  return false;
}

// The steps that commute with an event of the sequence on a closer look; with the last step if it is none.
std::vector<StepName> SequencePlacer::commuting_with(EventId event) const {
  std::vector<StepName> steps;
  for (const Commuting& pair : commuting_)
    if (event == kNoEvent ? pair.index == kNone : pair.event == event) steps.push_back(pair.step);
  return steps;
}

// Of all that decides where the sequence belongs.
std::uint64_t SequencePlacer::hash_of_whole() const {
  const LastStep& last = sequence_.last();
  std::uint64_t hash = combine(sequence_.hash(), history_.name_hash(last.name.event.actor));
  hash = combine(hash, std::uint64_t{last.name.event.ordinal} << 32 | last.name.alternative);
  hash = combine(hash, static_cast<std::uint64_t>(last.name.choice) << 32 | last.name.touch);
  if (last.name.choice == Choice::kMessage)
    hash = combine(history_.name_hash(last.name.sender.actor), combine(hash, last.name.sender.ordinal));
  return combine(hash, node_);
}

void SequencePlacer::attach(std::vector<EventName> order) {
  search_.first_asked = std::min(search_.first_asked, node_);
  const bool is_one_step = path_.empty() && sequence_.size() == 0;
  if (search_.trees.size() >= cut_above_ && !is_one_step) return attach_first(std::move(order));
  if (!order.empty())
    for (const WakeupSequence::Above& above : sequence_.above())
      if (!above.is_known) order.push_back(above.step.event);
  std::uint32_t added = kNone;  // from the last to the first
  const auto add = [&](std::uint32_t step, EventId event) {
    BranchDetails details;
    if (added == kNone) details.order = std::move(order);
    details.commutes = commuting_with(event);
    added = search_.trees.add(step, added, std::move(details));
  };
  const LastStep& last = sequence_.last();
  if (!sequence_.is_last_removed())
    add(search_.steps.use(last.name, last.close_key, last.ends_all, last.touches), kNoEvent);
  const std::span<const EventId> events = sequence_.events();
  for (std::uint32_t i = sequence_.size(); i-- > 0;)
    if (!sequence_.is_removed(i)) add(execution_.use_step(events[i]), events[i]);
  search_.trees.append(search_.nodes[node_].pending, path_, added);
  if (search_.attached != nullptr)
    search_.attached->push_back({.node = node_, .path = path_, .branch = added});
}

// Attaches only the first step, after which whatever comes will be run: a branch of its own, or one that has
// led to the sequence's place.
void SequencePlacer::attach_first(std::vector<EventName> order) {
  search_.is_cut = true;
  const WakeupTrees& trees = search_.trees;
  if (!path_.empty()) {
    std::uint32_t leaf = path_.front();
    while (trees[leaf].first_child != kNone) leaf = trees[leaf].first_child;
    order = trees.details_of(leaf).order;
  }
  const std::span<const EventId> events = sequence_.events();
  const EventName first =
      path_.empty() ? history_[events.front()].name : search_.steps[trees[path_.front()].step].name.event;
  std::erase_if(order, [&](const EventName& name) {
    if (name == first) return false;
    for (std::uint32_t node = 0; node < node_; ++node)
      if (search_.nodes[node].step.event == name) return false;
    return true;
  });
  std::uint32_t& list = search_.nodes[node_].pending;
  if (!path_.empty()) return search_.trees.cut_behind(list, path_.front(), std::move(order));
  BranchDetails details{.order = std::move(order), .commutes = commuting_with(events.front())};
  search_.trees.append(list, {},
                       search_.trees.add(execution_.use_step(events.front()), kNone, std::move(details)));
}

}  // namespace ravel::reduction
