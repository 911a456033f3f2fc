#include "strategy/surw.h"

#include <algorithm>

namespace ravel {

void SelectivelyUniform::begin() {
  next_.reset();
  target_.reset();
  all_.begin();
  std::vector<std::uint64_t> shared;
  for (auto& [number, object] : objects_) {
    object.counts.begin();
    object.first_actor.reset();
    if (object.is_shared) shared.push_back(number);
  }
  if (!shared.empty()) target_ = shared[random().below(shared.size())];
}

bool SelectivelyUniform::is_interesting(const Point& point, const Transition& transition) const {
  if (!knows_pending_) return executions_ended() > 0;
  if (!target_) return false;
  const std::optional<Touch> pending = point.system->pending(transition);
  return pending && pending->object == *target_;
}

// Draws whose turn it is, among those that are there.
void SelectivelyUniform::draw_next(const Point& point) {
  ActorCounts& counts = target_ ? objects_[*target_].counts : all_;
  std::vector<std::pair<ActorId, std::uint64_t>> weights;
  std::uint64_t sum = 0;
  for (const Transition& transition : point.enabled) {
    if (!weights.empty() && weights.back().first == transition.actor) continue;
    weights.emplace_back(transition.actor, counts.left(transition.actor));
    sum += weights.back().second;
  }
  next_.reset();
  if (sum == 0) return;
  std::uint64_t place = random().below(sum);
  for (const auto& [actor, weight] : weights) {
    if (place < weight) {
      next_ = actor;
      return;
    }
    place -= weight;
  }
}

Decision SelectivelyUniform::choose(const Point& point) {
  system_ = point.system;
  if (!knows_pending_ && point.system->pending(point.enabled.front())) knows_pending_ = true;
  for (const Transition& transition : point.enabled) {
    all_.meet(transition.actor, *point.system);
    if (target_) objects_[*target_].counts.meet(transition.actor, *point.system);
  }
  const auto is_there = [&](ActorId actor) {
    return std::ranges::find(point.enabled, actor, &Transition::actor) != point.enabled.end();
  };
  if (!next_ || !is_there(*next_)) draw_next(point);
  free_.clear();
  for (std::uint32_t i = 0; i < point.enabled.size(); ++i)
    if ((next_ && point.enabled[i].actor == *next_) || !is_interesting(point, point.enabled[i])) free_.push_back(i);
  // The estimates were too low: nobody is thought to have an interesting event left, but all have one.
  if (free_.empty())
    for (std::uint32_t i = 0; i < point.enabled.size(); ++i) free_.push_back(i);
  const std::uint32_t chosen = free_[free_.size() == 1 ? 0 : random().below(free_.size())];
  if (is_interesting(point, point.enabled[chosen])) next_.reset();
  return Decision::take(chosen, Return::kNever);
}

void SelectivelyUniform::observe(const Event& event) {
  all_.count(event.actor);
  for (const Touch& touch : event.footprint) {
    Object& object = objects_[touch.object];
    if (!object.first_actor) object.first_actor = event.actor;
    if (*object.first_actor != event.actor) object.is_shared = true;
    object.counts.meet(event.actor, *system_);
    object.counts.count(event.actor);
  }
}

void SelectivelyUniform::end(Outcome) {
  all_.end();
  for (auto& [number, object] : objects_) object.counts.end();
}

void SelectivelyUniform::write_learned(PositionWriter& writer) const {
  all_.write_position(writer);
  writer.put(knows_pending_ ? 1 : 0);
  writer.put_all(objects_, [&](const auto& entry) {
    writer.put(entry.first);
    writer.put(entry.second.is_shared ? 1 : 0);
    entry.second.counts.write_position(writer);
  });
}

void SelectivelyUniform::read_learned(PositionReader& reader) {
  all_.read_position(reader);
  knows_pending_ = reader.get() != 0;
  reader.get_all([&] {
    Object& object = objects_[reader.get()];
    object.is_shared = reader.get() != 0;
    object.counts.read_position(reader);
  });
}

}  // namespace ravel
