#include "strategy/optimal_reduction/script.h"

#include <algorithm>

#include "base/check.h"

namespace ravel::reduction {

void Script::follow(const Nodes& nodes, std::span<const EventName> order) {
  in_order_ = order.empty() ? std::min(in_order_, nodes.first_new()) : 0;
  steps_.resize(in_order_);
  if (order.empty()) {
    for (; in_order_ < nodes.count(); ++in_order_)
      steps_.push_back({.step = nodes[in_order_].step, .node = in_order_});
    return;
  }
  CHECK(order.size() == nodes.count());
  for (std::vector<std::uint32_t>& numbers : nodes_of_actor_) numbers.clear();
  for (std::uint32_t node = 0; node < nodes.count(); ++node) {
    const auto actor = static_cast<std::uint32_t>(nodes[node].step.event.actor);
    if (actor >= nodes_of_actor_.size()) nodes_of_actor_.resize(actor + 1);
    nodes_of_actor_[actor].push_back(node);
  }
  for (const EventName& name : order) {
    const std::uint32_t node = nodes_of_actor_[static_cast<std::uint32_t>(name.actor)].at(name.ordinal);
    steps_.push_back({.step = nodes[node].step, .node = node});
  }
}

bool Script::reorder(std::span<const EventName> order, const History& taken) {
  std::vector<ScriptStep> steps;
  for (const EventName& name : order)
    for (EventId event = 0; event < taken.length(); ++event)
      if (taken[event].name == name) steps.push_back(steps_[event]);
  steps.insert(steps.end(), steps_.begin() + static_cast<std::ptrdiff_t>(at_), steps_.end());
  const bool is_same = std::ranges::equal(steps, steps_, {}, &ScriptStep::node, &ScriptStep::node);
  set(std::move(steps));
  return !is_same;
}

}  // namespace ravel::reduction
