#include "strategy/optimal_reduction/reduced_execution.h"

#include <algorithm>

namespace ravel::reduction {

std::uint32_t ReducedExecution::go_back(const Script& script) {
  const std::span<const ScriptStep> steps = script.steps();
  // These nodes are as they were.
  const std::uint32_t known = std::min({in_order_, script.in_order(), nodes_.first_new()});
  std::uint32_t keep = known;
  while (keep < steps.size() && keep < history_.length() && steps[keep].step == step_of(keep)) ++keep;
  for (std::size_t i = known; i < steps.size(); ++i) nodes_[steps[i].node].event = kNoEvent;
  rewind(keep);
  in_order_ = known;
  for (std::uint32_t i = known; i < keep; ++i) {
    node_of_[i] = steps[i].node;
    nodes_[node_of_[i]].event = i;
    if (in_order_ == i && node_of_[i] == i) ++in_order_;
  }
  return keep;
}

void ReducedExecution::keep_first(std::span<const std::uint32_t> nodes) {
  rewind(static_cast<std::uint32_t>(nodes.size()));
  in_order_ = 0;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    node_of_[i] = nodes[i];
    nodes_[nodes[i]].event = i;
    nodes_[nodes[i]].step = step_of(i);
    if (in_order_ == i && nodes[i] == i) ++in_order_;
  }
}

// Forgets the events after so many.
void ReducedExecution::rewind(std::uint32_t keep) {
  if (keep < history_.length()) {
    history_.rewind(keep);
    history_.truncate(marks_[keep]);
  }
  marks_.resize(keep);
  node_of_.resize(keep);
  while (!late_sends_.empty() && late_sends_.back() >= keep) late_sends_.pop_back();
  std::erase_if(prevented_, [&](const Prevented& entry) { return entry.by >= keep; });
  std::erase_if(stuck_, [&](const Stuck& entry) { return entry.length >= keep; });
  was_enabled_.clear();
}

void ReducedExecution::see(const Point& point) {
  system_ = point.system;
  if (!was_enabled_.empty()) note_prevented(point.enabled);
  history_.see_enabled(point.enabled, *system_);
  was_enabled_.clear();
  for (const Transition& transition : point.enabled) was_enabled_.push_back(transition.actor);
  if (point.enabled.front().kind == TransitionKind::kPasses) note_stuck();
}

EventId ReducedExecution::append(const Event& event, std::uint32_t node) {
  marks_.push_back(history_.mark());
  const EventId id = history_.append(event, *system_);
  node_of_.push_back(node);
  if (in_order_ == id && node == id) ++in_order_;
  if (!history_.late_receives(history_[id]).empty()) late_sends_.push_back(id);
  has_stopped_others_ = system_->stops_others();
  if (has_stopped_others_) history_.mark_as_end();
  nodes_[node].event = id;
  return id;
}

void ReducedExecution::see_end() {
  note_prevented(has_stopped_others_ ? std::span<const Transition>() : system_->enabled());
  note_stuck();
}

// Notes the actors that wait for others here, where nobody can go on.
void ReducedExecution::note_stuck() {
  for (const ActorId actor : system_->blocked()) {
    history_.meet(actor, *system_);
    stuck_.push_back(
        {.step = history_.next_of(actor), .length = static_cast<std::uint32_t>(history_.length())});
  }
}

// Notes the actors that were able to move before the last event and are not any more.
void ReducedExecution::note_prevented(std::span<const Transition> enabled) {
  const auto last = static_cast<EventId>(history_.length() - 1);
  const ActorId mover = history_[last].name.actor;
  // Both lists are in one order, except for actors that are new or gone.
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

bool ReducedExecution::fills_first_nodes() const {
  std::uint32_t filled = in_order_;
  while (filled < nodes_.count() && nodes_[filled].event != kNoEvent) ++filled;
  return filled == history_.length();
}

std::uint32_t ReducedExecution::use_step(EventId event) {
  return steps_.use(step_of(event), history_[event].close_key, ends_all(event),
                    history_.touches(history_[event]));
}

bool ReducedExecution::is_asleep(const Transition& transition) const {
  for (const std::uint32_t number : nodes_[nodes_.count()].asleep) {
    const StepName& step = steps_[number].name;
    // Which message a receive takes shows when it has happened.
    if (step.event.actor == transition.actor && step.alternative == transition.alternative &&
        step.choice == Choice::kNothing)
      return true;
  }
  return false;
}

void ReducedExecution::put_to_sleep(std::uint32_t number) {
  std::vector<std::uint32_t>& asleep = nodes_.asleep_at(number + 1);
  const Node& node = nodes_[number];
  asleep.clear();
  if (node.asleep.empty() && node.done.empty()) return;
  const Occurrence& event = history_[node.event];
  if (event.is_passing) return;
  const bool event_ends_all = ends_all(node.event);
  for (const std::vector<std::uint32_t>* const steps : {&node.asleep, &node.done})
    for (const std::uint32_t number_of_step : *steps) {
      const Step& step = steps_[number_of_step];
      if (event_ends_all || step.ends_all || step.name.event.actor == event.name.actor) continue;
      const Dependence found = may_conflict(step.summary, event.summary)
                                   ? dependence(step.touches, history_.touches(event))
                                   : Dependence::kNone;
      if (found == Dependence::kNone || (found == Dependence::kCoarse &&
                                         std::ranges::find(node.commutes, step.name) != node.commutes.end()))
        asleep.push_back(number_of_step);
    }
}

}  // namespace ravel::reduction
