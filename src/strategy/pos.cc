#include "strategy/pos.h"

#include <algorithm>

namespace ravel {

std::uint64_t& PartialOrderSampling::priority_of(ActorId actor) {
  const auto index = static_cast<std::size_t>(actor);
  if (index >= priorities_.size()) priorities_.resize(index + 1, kNone);
  return priorities_[index];
}

Decision PartialOrderSampling::draw(const Point& point) {
  pending_.clear();
  std::size_t best = 0;
  std::uint64_t highest = kNone;
  for (std::size_t i = 0; i < point.enabled.size(); ++i) {
    const ActorId actor = point.enabled[i].actor;
    if (i > 0 && point.enabled[i - 1].actor == actor) continue;
    std::uint64_t& priority = priority_of(actor);
    if (priority == kNone) priority = random().next() | 1;
    if (const auto touch = point.system->pending(point.enabled[i]))
      pending_.push_back({.actor = actor, .touch = *touch});
    if (priority > highest) {
      highest = priority;
      best = i;
    }
  }
  // A data choice of the actor is drawn uniformly.
  const auto alternatives = static_cast<std::size_t>(
      std::ranges::count(point.enabled, point.enabled[best].actor, &Transition::actor));
  if (alternatives > 1) best += random().below(alternatives);
  return Decision::take(best, Return::kNever);
}

void PartialOrderSampling::note(const Event& event) {
  priority_of(event.actor) = kNone;
  for (const Pending& other : pending_) {
    const bool races = std::ranges::any_of(event.footprint, [&](const Touch& touch) {
      return touch.object == other.touch.object && conflicts(touch.access, other.touch.access);
    });
    if (other.actor != event.actor && races) priority_of(other.actor) = kNone;
  }
}

}  // namespace ravel
