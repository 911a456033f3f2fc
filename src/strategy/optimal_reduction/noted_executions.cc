#include "strategy/optimal_reduction/noted_executions.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace ravel::reduction {

namespace {

// Of an execution that is run again, it takes less time to take some steps once more than to save each state.
constexpr std::size_t kStepsBetweenSnapshots = 3;

}  // namespace

// The steps that were taken, in this order, each with its node. An actor is its number, or 0 and its name.
void write_note(const ReducedExecution& execution, const ObjectsInCommon* ground, PositionWriter& writer) {
  NameWriter names(execution.system(), writer);
  const History& history = execution.history();
  writer.put(history.length());
  for (EventId event = 0; event < history.length(); ++event) {
    const ActorId actor = history[event].name.actor;
    const bool is_number = ground != nullptr && ground->has(actor);
    writer.put(is_number ? static_cast<std::uint64_t>(actor) + 1 : 0);
    if (!is_number) names.put_actor(actor);
    writer.put(history[event].alternative);
    writer.put(execution.node_of(event));
  }
}

bool NotedExecutions::run(std::string_view note) {
  PositionReader reader(note);
  NameReader names(reader);
  const std::uint64_t length = reader.get();
  if (length == 0 || length < search_.nodes.count() || length > note.size()) return false;
  std::vector<NotedStep> steps(length);
  for (NotedStep& step : steps) {
    const std::uint64_t number = reader.get();
    step.is_number = number != 0;
    step.actor = step.is_number ? ActorId{static_cast<std::uint32_t>(number - 1)} : names.get_actor();
    step.alternative = reader.get32();
    step.node = reader.get32();
  }
  if (names.is_damaged() || !reader.is_complete()) return false;
  while (search_.nodes.count() < length) {
    Node& node = search_.nodes[search_.nodes.add(search_.nodes.count() < prefix_, 0)];
    node.done.clear();
    node.pending = WakeupTrees::kNone;
  }
  std::vector<bool> has_event(length, false);
  for (const NotedStep& step : steps) {
    if (step.node >= length || has_event[step.node]) return false;
    has_event[step.node] = true;
  }
  for (std::uint32_t depth = go_back(steps, names); depth < length; ++depth)
    if (!take(steps[depth], names)) return false;
  execution_.see_end();
  search_.nodes.asleep_at(0).clear();
  const auto nodes = std::min(search_.places_before, static_cast<std::uint32_t>(length));
  for (std::uint32_t node = 0; node < nodes; ++node) execution_.put_to_sleep(node);
  return true;
}

// The System's number; nothing: it has not met the actor.
std::optional<ActorId> NotedExecutions::actor_of(const NotedStep& step, const NameReader& names) const {
  return step.is_number ? std::optional(step.actor) : names.resolved(step.actor, system_);
}

// Makes what was run last that part of it with which these steps begin. Returns how many they are. At least
// the last step is run once more, since only then the System says what it has found.
std::uint32_t NotedExecutions::go_back(std::span<const NotedStep> steps, const NameReader& names) {
  std::uint32_t keep = 0;
  while (keep + 1 < steps.size() && keep + 1 < taken_.size() &&
         taken_[keep].transition.alternative == steps[keep].alternative &&
         actor_of(steps[keep], names) == taken_[keep].transition.actor)
    ++keep;
  if (taken_.empty()) trials_.begin();
  trials_.end(keep);
  while (!snapshots_.empty() && snapshots_.back().depth > keep) {
    system_.release(snapshots_.back().snapshot);
    snapshots_.pop_back();
  }
  std::size_t depth = 0;
  if (snapshots_.empty()) {
    keep = 0;
    system_.reset();
  } else {
    system_.restore(snapshots_.back().snapshot);
    depth = snapshots_.back().depth;
  }
  for (; depth < keep; ++depth) system_.step(taken_[depth].transition);
  taken_.resize(keep);
  alternatives_.resize(keep);
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t step = 0; step < keep; ++step) {
    Node& node = search_.nodes[steps[step].node];
    node.first_alternative = alternatives_[step].first;
    node.alternatives = alternatives_[step].second;
    nodes.push_back(steps[step].node);
  }
  execution_.keep_first(nodes);
  return keep;
}

bool NotedExecutions::take(const NotedStep& step, const NameReader& names) {
  const std::optional<ActorId> actor = actor_of(step, names);
  const std::span<const Transition> enabled = system_.enabled();
  const auto place = std::ranges::find_if(enabled, [&](const Transition& one) {
    return actor && one.actor == *actor && one.alternative == step.alternative;
  });
  if (place == enabled.end()) return false;
  const Transition transition = *place;
  const std::optional<ActorId> previous =
      taken_.empty() ? std::nullopt : std::optional(taken_.back().transition.actor);
  execution_.see({.enabled = enabled, .depth = taken_.size(), .previous = previous, .system = &system_});
  Node& node = search_.nodes[step.node];
  node.first_alternative = std::ranges::find(enabled, *actor, &Transition::actor)->alternative;
  node.alternatives = static_cast<std::uint32_t>(std::ranges::count(enabled, *actor, &Transition::actor));
  const bool is_saved = !snapshots_.empty() && snapshots_.back().depth == taken_.size();
  if (taken_.size() % kStepsBetweenSnapshots == 0 && !is_saved)
    if (const auto snapshot = system_.save()) snapshots_.push_back({taken_.size(), *snapshot});
  alternatives_.emplace_back(node.first_alternative, node.alternatives);
  taken_.push_back({.transition = transition, .index = 0, .enabled = 0, .preemptions = 0, .unreceived = 0});
  node.step = execution_.step_of(execution_.append(system_.step(transition), step.node));
  return true;
}

void NotedExecutions::forget() {
  for (; !snapshots_.empty(); snapshots_.pop_back()) system_.release(snapshots_.back().snapshot);
  taken_.clear();
}

}  // namespace ravel::reduction
