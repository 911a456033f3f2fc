#include "strategy/optimal_reduction.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"

namespace ravel {

namespace {

constexpr const char kNotAsBefore[] =
    "independent events did not commute: a footprint leaves out what its event depends on";

// How many traces are remembered, to notice that one is repeated; 8 bytes each, and the table's.
constexpr std::size_t kTracesRemembered = std::size_t{1} << 22;

}  // namespace

// ---- Executions ------------------------------------------------------------------------------------------

std::optional<Plan> OptimalReduction::next_execution() {
  has_ended_ = false;
  const bool is_first = !std::exchange(has_begun_, true);
  if (std::exchange(has_returned_, false)) {
    start_script();
    return Plan{.keep = 0};
  }
  if (is_first) {
    for (std::size_t i = 0; i < prefix_.size(); ++i) {
      const std::uint32_t node = add_node(true);
      script_.push_back({.step = {.event = {.actor = prefix_[i].actor}, .alternative = prefix_[i].alternative,
                                  .choice = Choice::kAny},
                         .node = node});
    }
    return Plan{.keep = 0};
  }
  if (!std::exchange(is_repaired_, false)) {
    is_rejected_ = false;
    const bool was_cut = is_cut_;
    find_races();
    if (is_cut_ && !was_cut) find_races();  // it looks closer now
    if (has_given_up()) return std::nullopt;
    if (trees_.is_large()) share_trees();
    if (!branch()) return std::nullopt;
    was_planned_ = true;
  }
  start_script();
  if (system_ != nullptr) trial_.end(*system_, history_);  // it is known from the first choice on
  return Plan{.keep = history_.length()};
}

std::uint32_t OptimalReduction::add_node(bool is_fixed) {
  if (node_count_ + 1 >= nodes_.size()) nodes_.resize(node_count_ + 2);
  Node& node = nodes_[node_count_];
  node.event = kNoEvent;
  node.executions_before = node.executions_before_step = executions_;
  open_nodes_.resize(node_count_ + 1);
  open_nodes_[node_count_] = 0;
  if (!node.tried.empty()) node.tried.clear();
  node.commutes.clear();
  node.is_fixed = is_fixed;
  node.alternatives = 1;
  return node_count_++;
}

// Takes the next branch of the last node that has one left.
bool OptimalReduction::branch() {
  while (node_count_ > 0) {
    Node& last = nodes_[node_count_ - 1];
    if (last.pending != kNone) break;
    for (const std::uint32_t step : last.done) steps_.drop(step);
    last.done.clear();
    --node_count_;
  }
  if (node_count_ == 0) return false;
  const std::uint32_t number = node_count_ - 1;
  if (nodes_[number].event != kNoEvent) {
    nodes_[number].done.push_back(use_step(nodes_[number].event));
    nodes_[number].event = kNoEvent;
  }
  first_new_ = asleep_from_ = number;
  path_.clear();
  for (std::uint32_t at = nodes_[number].pending; at != kNone; at = trees_[at].first_child) path_.push_back(at);
  node_count_ = number;
  const std::uint64_t before_first = nodes_[number].executions_before;
  for (const std::uint32_t at : path_) {
    const std::uint32_t node = add_node(false);
    nodes_[node].step = steps_[trees_[at].step].name;
    nodes_[node].pending = trees_.use(trees_[at].next_sibling);
    nodes_[node].commutes = trees_.details_of(at).commutes;
  }
  nodes_[number].executions_before = before_first;
  put_in_order();
  trees_.drop(path_.front());
  return true;
}

void OptimalReduction::share_trees() {
  lists_.clear();
  for (std::uint32_t node = 0; node < node_count_; ++node)
    if (nodes_[node].pending != kNone) lists_.push_back(&nodes_[node].pending);
  trees_.share(lists_);
}

// Makes the script of the nodes that there are, in the order that the path's leaf asks for.
void OptimalReduction::put_in_order() {
  const std::vector<EventName>& order = trees_.details_of(path_.back()).order;
  script_in_order_ = order.empty() ? std::min(script_in_order_, first_new_) : 0;
  script_.resize(script_in_order_);
  if (order.empty()) {
    for (; script_in_order_ < node_count_; ++script_in_order_)
      script_.push_back({.step = nodes_[script_in_order_].step, .node = script_in_order_});
    return;
  }
  CHECK(order.size() == node_count_);
  for (std::vector<std::uint32_t>& nodes : nodes_of_actor_) nodes.clear();
  for (std::uint32_t node = 0; node < node_count_; ++node) {
    const auto actor = static_cast<std::uint32_t>(nodes_[node].step.event.actor);
    if (actor >= nodes_of_actor_.size()) nodes_of_actor_.resize(actor + 1);
    nodes_of_actor_[actor].push_back(node);
  }
  for (const EventName& name : order) {
    const std::uint32_t node = nodes_of_actor_[static_cast<std::uint32_t>(name.actor)].at(name.ordinal);
    script_.push_back({.step = nodes_[node].step, .node = node});
  }
}

// Goes back to where the script departs from the execution before.
void OptimalReduction::start_script() {
  const std::uint32_t known = std::min({in_order_, script_in_order_, first_new_});  // these nodes are as they were
  std::uint32_t keep = known;
  while (keep < script_.size() && keep < history_.length() && script_[keep].step == step_of(keep)) ++keep;
  for (std::size_t i = known; i < script_.size(); ++i) nodes_[script_[i].node].event = kNoEvent;
  if (keep < history_.length()) {
    history_.rewind(keep);
    history_.truncate(marks_[keep]);
  }
  marks_.resize(keep);
  node_of_.resize(keep);
  in_order_ = known;
  for (std::uint32_t i = known; i < keep; ++i) {
    node_of_[i] = script_[i].node;
    nodes_[node_of_[i]].event = i;
    if (in_order_ == i && node_of_[i] == i) ++in_order_;
  }
  while (!late_sends_.empty() && late_sends_.back() >= keep) late_sends_.pop_back();
  std::erase_if(prevented_, [&](const Prevented& entry) { return entry.by >= keep; });
  std::erase_if(stuck_, [&](const Stuck& entry) { return entry.length >= keep; });
  script_at_ = keep;
  is_script_over_ = false;
  was_enabled_.clear();
}

Decision OptimalReduction::choose(const Point& point) {
  system_ = point.system;
  if (is_rejected_ || is_repaired_) return Decision::abandon();
  CHECK(point.depth == history_.length());
  if (!was_enabled_.empty()) note_prevented(point.enabled);
  history_.see_enabled(point.enabled, *point.system);
  was_enabled_.clear();
  for (const Transition& transition : point.enabled) was_enabled_.push_back(transition.actor);
  if (point.enabled.front().kind == TransitionKind::kPasses) note_stuck(*point.system);
  const auto take = [&](std::size_t index) {
    const ActorId actor = point.enabled[index].actor;
    next_first_alternative_ = std::ranges::find(point.enabled, actor, &Transition::actor)->alternative;
    next_alternatives_ = static_cast<std::uint32_t>(std::ranges::count(point.enabled, actor, &Transition::actor));
    return Decision::take(index, Return::kSeldom);
  };

  if (script_at_ < script_.size()) {
    const ScriptStep& wanted = script_[script_at_];
    for (std::size_t i = 0; i < point.enabled.size(); ++i) {
      if (point.enabled[i].actor != wanted.step.event.actor || point.enabled[i].alternative != wanted.step.alternative) continue;
      next_node_ = wanted.node;
      return take(i);
    }
    // Only what is not known to be possible may turn out not to be.
    CHECK_MESSAGE(wanted.node >= first_new_, kNotAsBefore);
    is_rejected_ = true;
    return Decision::abandon();
  }
  if (!is_script_over_) end_script();

  std::size_t chosen = point.enabled.size();
  if (point.previous) {
    for (std::size_t i = 0; i < point.enabled.size(); ++i) {
      if (point.enabled[i].actor != *point.previous || is_asleep(point.enabled[i])) continue;
      chosen = i;
      break;
    }
  }
  for (std::size_t i = 0; i < point.enabled.size() && chosen == point.enabled.size(); ++i)
    if (!is_asleep(point.enabled[i])) chosen = i;
  if (chosen == point.enabled.size()) {
    if (!is_cut_) {
      is_rejected_ = true;
      return Decision::abandon();
    }
    chosen = 0;
  }
  next_node_ = add_node(false);
  return take(chosen);
}

void OptimalReduction::observe(const Event& event) {
  marks_.push_back(history_.mark());
  const EventId id = history_.append(event, *system_);
  node_of_.push_back(next_node_);
  if (in_order_ == id && next_node_ == id) ++in_order_;
  if (!history_.late_receives(history_[id]).empty()) late_sends_.push_back(id);
  has_stopped_others_ = system_->stops_others();
  if (has_stopped_others_) history_.mark_as_end();
  Node& node = nodes_[next_node_];
  node.event = id;
  node.first_alternative = next_first_alternative_;
  node.alternatives = next_alternatives_;
  const StepName happened = step_of(id);
  if (script_at_ < script_.size()) {
    const StepName wanted = script_[script_at_++].step;
    node.step = happened;
    if (wanted.choice == Choice::kAny || wanted == happened) return;
    if (repair_order(id, wanted))
      is_repaired_ = true;
    else
      is_rejected_ = true;
    return;
  }
  node.step = happened;
  if (!is_cut_)
    for (const std::uint32_t step : node.asleep)
      if (steps_[step].name == happened) is_rejected_ = true;
  put_to_sleep(next_node_);
}

Novelty OptimalReduction::end_execution(Outcome outcome) {
  has_ended_ = true;
  if (is_repaired_) return Novelty::kKnown;
  if (script_at_ < script_.size()) is_rejected_ = true;
  if (is_rejected_ || outcome == Outcome::kRunning) {
    is_rejected_ = true;
    return Novelty::kDiscarded;
  }
  if (!is_script_over_) end_script();
  if (history_.length() == 0) return Novelty::kNew;
  note_prevented(has_stopped_others_ ? std::span<const Transition>() : system_->enabled());
  note_stuck(*system_);
  if (seen_.size() < kTracesRemembered && !seen_.insert(history_.trace_hash())) return Novelty::kRepeated;
  ++executions_;
  return Novelty::kNew;
}

void OptimalReduction::end_script() {
  is_script_over_ = true;
  if (node_count_ == 0) {
    nodes_.resize(std::max<std::size_t>(nodes_.size(), 1));
    nodes_[0].asleep.clear();
  }
  for (std::uint32_t node = asleep_from_; node < node_count_; ++node) put_to_sleep(node);
}

// Who waits for others here, where nobody can go on.
void OptimalReduction::note_stuck(System& system) {
  for (const ActorId actor : system.blocked()) {
    history_.meet(actor, system);
    stuck_.push_back({.step = history_.next_of(actor), .length = static_cast<std::uint32_t>(history_.length())});
  }
}

// Who was able to move before the last event and is not any more.
void OptimalReduction::note_prevented(std::span<const Transition> enabled) {
  const auto last = static_cast<EventId>(history_.length() - 1);
  const ActorId mover = history_[last].name.actor;
  // Both lists are in one order, but for actors that are new or gone.
  std::size_t at = 0;
  for (const ActorId actor : was_enabled_) {
    if (at < enabled.size() && enabled[at].actor == actor) {
      ++at;
      continue;
    }
    if (actor == mover) continue;
    const auto place = std::ranges::find(enabled, actor, &Transition::actor);
    if (place == enabled.end())
      prevented_.push_back({.by = last, .step = history_.next_of(actor)});
    else
      at = static_cast<std::size_t>(place - enabled.begin()) + 1;
  }
}

// ---- Steps -----------------------------------------------------------------------------------------------

StepName OptimalReduction::step_of(const History& history, EventId event) {
  const Occurrence& known = history[event];
  StepName step{.event = known.name, .alternative = known.alternative};
  if (!known.receives()) return step;
  step.choice = known.taken.event == kNoEvent ? Choice::kExpiry : Choice::kMessage;
  if (known.taken.event == kNoEvent) return step;
  step.sender = history[known.taken.event].name;
  step.touch = known.taken.touch;
  return step;
}

std::uint32_t OptimalReduction::use_step(EventId event) {
  const bool ends_all = event + 1 == history_.length() && has_stopped_others_;
  return steps_.use(step_of(event), history_[event].close_key, ends_all, history_.touches(history_[event]));
}

// Whether both are, or may be, the same step of an actor.
bool OptimalReduction::is_same(const StepName& one, const StepName& other) {
  if (one.choice != Choice::kAny && other.choice != Choice::kAny) return one == other;
  return one.event == other.event && one.alternative == other.alternative;
}

bool OptimalReduction::touches_depend(std::span<const Touch> those, std::span<const Touch> these) {
  return dependence(those, these) != Dependence::kNone;
}

// By what two steps touch; kCoarse if a closer look may show that they commute.
OptimalReduction::Dependence OptimalReduction::dependence(std::span<const Touch> those, std::span<const Touch> these) {
  Dependence found = Dependence::kNone;
  for (const Touch& one : those)
    for (const Touch& other : these) {
      if (one.object != other.object || !conflicts(one.access, other.access)) continue;
      if (!one.is_coarse || !other.is_coarse) return Dependence::kPlain;
      found = Dependence::kCoarse;
    }
  return found;
}

bool OptimalReduction::is_asleep(const Transition& transition) const {
  for (const std::uint32_t number : nodes_[node_count_].asleep) {
    const StepName& step = steps_[number].name;
    // Which message a receive takes shows when it has happened.
    if (step.event.actor == transition.actor && step.alternative == transition.alternative && step.choice == Choice::kNothing)
      return true;
  }
  return false;
}

// What sleeps behind a node's event.
void OptimalReduction::put_to_sleep(std::uint32_t number) {
  if (number + 1 >= nodes_.size()) nodes_.resize(number + 2);
  const Node& node = nodes_[number];
  std::vector<std::uint32_t>& asleep = nodes_[number + 1].asleep;
  asleep.clear();
  if (node.asleep.empty() && node.done.empty()) return;
  const Occurrence& event = history_[node.event];
  if (event.is_passing) return;
  const bool ends_all = node.event + 1 == history_.length() && has_stopped_others_;
  for (const std::vector<std::uint32_t>* const steps : {&node.asleep, &node.done})
    for (const std::uint32_t number_of_step : *steps) {
      const Step& step = steps_[number_of_step];
      if (ends_all || step.ends_all || step.name.event.actor == event.name.actor) continue;
      const Dependence found = may_conflict(step.summary, event.summary) ? dependence(step.touches, history_.touches(event))
                                                                         : Dependence::kNone;
      if (found == Dependence::kNone ||
          (found == Dependence::kCoarse && std::ranges::find(node.commutes, step.name) != node.commutes.end()))
        asleep.push_back(number_of_step);
    }
}

}  // namespace ravel
