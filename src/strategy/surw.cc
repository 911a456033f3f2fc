#include "strategy/surw.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ravel {

void SelectivelyUniform::begin() {
  actors_.begin();
  there_.clear();
  next_.reset();
  target_.reset();
  if (!targets_.empty()) target_ = draw_target();
}

std::uint32_t SelectivelyUniform::draw_target() {
  if (wholes_.empty() || random().below(2) == 0) return targets_[random().below(targets_.size())];
  if (unions_.empty()) {
    const auto is_alone = [&](std::uint32_t index) {
      const std::optional<std::uint32_t> whole = objects_[index].whole;
      return !whole || !objects_[*whole].is_target;
    };
    unions_ = wholes_;
    std::ranges::copy_if(targets_, std::back_inserter(unions_), is_alone);
  }
  return unions_[random().below(unions_.size())];
}

std::uint32_t SelectivelyUniform::index_of_object(std::uint64_t number) {
  const std::uint32_t index =
      index_of_object_.find_or_add(number, static_cast<std::uint32_t>(objects_.size()));
  if (index == objects_.size()) objects_.push_back({.number = number});
  return index;
}

std::uint32_t SelectivelyUniform::index_of_whole(std::uint64_t number) {
  const std::uint32_t index =
      index_of_whole_.find_or_add(number, static_cast<std::uint32_t>(objects_.size()));
  if (index == objects_.size()) objects_.push_back({.number = number, .is_whole = true});
  return index;
}

// In the order of the objects' numbers, so that draws do not depend on what was met first.
void SelectivelyUniform::add_target(std::uint32_t object) {
  objects_[object].is_target = true;
  std::vector<std::uint32_t>& targets = objects_[object].is_whole ? wholes_ : targets_;
  const auto number_of = [&](std::uint32_t index) { return objects_[index].number; };
  targets.insert(std::ranges::lower_bound(targets, objects_[object].number, {}, number_of), object);
  unions_.clear();
}

void SelectivelyUniform::join(std::uint32_t object, std::uint32_t whole) {
  objects_[object].whole = whole;
  unions_.clear();
  if (++objects_[whole].parts == 2) add_target(whole);
}

// Draws whose turn it is, among those that are there.
void SelectivelyUniform::draw_next() {
  ActorCounts& counts = target_ ? objects_[*target_].counts : all_;
  // An actor that is about to take an interesting event has one left, whatever was expected: it must not wait
  // for all others.
  const auto weight_of = [&](const Mover& mover) {
    return std::max<std::uint64_t>(counts.left(mover.actor, actors_), mover.is_interesting ? 1 : 0);
  };
  std::uint64_t sum = 0;
  for (const Mover& mover : movers_) sum += weight_of(mover);
  next_.reset();
  if (sum == 0) return;
  std::uint64_t place = random().below(sum);
  for (const Mover& mover : movers_) {
    const std::uint64_t weight = weight_of(mover);
    if (place < weight) {
      next_ = mover.actor;
      return;
    }
    place -= weight;
  }
}

// If somebody can end the execution now: whether that happens, or others go first.
void SelectivelyUniform::draw_end() {
  const auto ender = std::ranges::find(movers_, ender_->actor, &Mover::actor);
  if (ender == movers_.end() || all_.seen(ender->actor, actors_) + 1 < ender_->events) return;
  // One execution ends here. Of all executions that go on from here there are at most as many as orders of
  // the events that are left, times the places for the end among them; just so many if the others are one
  // actor. An actor that waits and was never seen able to move is left out.
  constexpr double kNever = 0x1p-60;
  double chance = 1, placed = 0;
  for (const std::uint32_t actor : there_) {
    if (actor == ender->actor) continue;
    const std::uint64_t left = all_.left(actor, actors_);
    for (std::uint64_t i = 1; i <= left && chance > kNever; ++i) chance *= static_cast<double>(i) / ++placed;
  }
  chance /= std::max(placed, static_cast<double>(movers_.size() - 1)) + 1;
  if (random().unit() < chance) {
    movers_ = {*ender};
  } else {
    movers_.erase(ender);
  }
}

SelectivelyUniform::Pending SelectivelyUniform::pending_of(const Point& point, std::size_t index) {
  const std::optional<Touch> touch = point.system->pending(point.enabled[index]);
  if (!touch) return {};
  return {.object = touch->object, .is_known = true, .is_read = touch->access == Access::kRead};
}

// REQUIRES: there is a target.
bool SelectivelyUniform::is_on_target(std::uint64_t object) const {
  if (!objects_[*target_].is_whole) return object == objects_[*target_].number;
  const std::optional<std::uint32_t> index = index_of_object_.find(object);
  return index && objects_[*index].whole == target_;
}

Decision SelectivelyUniform::draw(const Point& point) {
  if (!knows_pending_)
    knows_pending_ = std::ranges::any_of(
        point.enabled, [&](const Transition& t) { return point.system->pending(t).has_value(); });
  const auto on_birth = [&](std::uint32_t actor) {
    there_.push_back(actor);
    all_.note_birth(actor, actors_);
    if (!target_) return;
    ActorCounts& counts = objects_[*target_].counts;
    counts.note_birth(actor, actors_);
    // The turn may have been drawn for the share of this child.
    const std::optional<std::uint32_t> ancestor = actors_.ancestor(actor);
    if (!next_ || next_ != ancestor) return;
    const std::uint64_t share = counts.left(actor, actors_);
    if (share > 0 && random().below(share + counts.left(*ancestor, actors_)) < share) next_ = actor;
  };
  movers_.clear();
  for (std::uint32_t i = 0; i < point.enabled.size(); ++i) {
    if (i > 0 && point.enabled[i].actor == point.enabled[i - 1].actor) continue;
    Mover& mover = movers_.emplace_back(
        Mover{.index = i, .actor = actors_.meet(point.enabled[i].actor, *point.system, on_birth)});
    if (!knows_pending_) {
      mover.is_interesting = executions_ended() > 0;
    } else if (target_) {
      mover.pending = pending_of(point, i);
      mover.is_interesting = mover.pending.is_known && is_on_target(mover.pending.object);
    }
  }
  if (ender_ && !ends_vary_ && movers_.size() > 1) draw_end();
  // The actor whose turn it is may be unable to move for a while; the others wait for it as long as there is
  // something else to do.
  if (!next_) draw_next();
  const auto is_free = [&](const Mover& mover) { return !mover.is_interesting || mover.actor == next_; };
  if (std::ranges::none_of(movers_, is_free)) draw_next();
  // All actors draw by what they have left; for those that have to wait the one that they wait for does.
  std::uint64_t sum = 0, waiting = 0;
  Mover* intended = nullptr;
  for (Mover& mover : movers_) {
    mover.weight = std::max<std::uint64_t>(all_.left(mover.actor, actors_), 1);
    sum += mover.weight;
    if (!is_free(mover)) waiting += std::exchange(mover.weight, 0);
    if (mover.actor == next_) intended = &mover;
  }
  if (intended != nullptr) {
    intended->weight += waiting;
  } else {
    sum -= waiting;
  }
  std::uint64_t place = random().below(sum);
  const Mover& mover = is_census_ ? movers_.back() : *std::ranges::find_if(movers_, [&](const Mover& m) {
    if (place < m.weight) return true;
    place -= m.weight;
    return false;
  });
  if (mover.is_interesting) next_.reset();
  std::size_t chosen = mover.index, alternatives = 1;
  while (chosen + alternatives < point.enabled.size() &&
         point.enabled[chosen + alternatives].actor == point.enabled[chosen].actor)
    ++alternatives;
  if (alternatives > 1) chosen += random().below(alternatives);
  chosen_ = mover.pending.is_known && alternatives == 1 ? mover.pending : pending_of(point, chosen);
  return Decision::take(chosen, Return::kNever);
}

void SelectivelyUniform::note(const Event& event) {
  const std::uint32_t actor = actors_.index_of(event.actor);
  all_.count(actor, actors_);
  last_ = actor;
  if (!chosen_.is_known) return;
  const std::uint32_t index = index_of_object(chosen_.object);
  count(index, actor);
  Object& object = objects_[index];
  if (object.actor != actor) object.is_shared = true;
  if (!chosen_.is_read) object.is_written = true;
  if (object.whole) count(*object.whole, actor);
}

void SelectivelyUniform::count(std::uint32_t index, std::uint32_t actor) {
  Object& object = objects_[index];
  object.counts.count(actor, actors_);
  if (object.execution == actors_.execution()) return;
  object.execution = actors_.execution();
  object.actor = actor;
  touched_.push_back(index);
}

void SelectivelyUniform::note_end(Outcome outcome) {
  if (outcome != Outcome::kFinished) return;
  const Ender ender{.actor = last_, .events = all_.seen(last_, actors_)};
  if (!ender_ && movers_.size() > 1) ender_ = ender;
  if (ender_) ends_vary_ = ends_vary_ || ender.actor != ender_->actor || ender.events != ender_->events;
}

void SelectivelyUniform::end(Outcome outcome) {
  is_census_ = executions_ended() == 0 && movers_.size() > 1;
  note_end(outcome);
  all_.end(actors_);
  for (const std::uint32_t index : touched_) {
    Object& object = objects_[index];
    object.counts.end(actors_);
    if (object.is_target || !object.is_shared || !object.is_written) continue;
    const std::optional<std::uint64_t> whole = whole_of_ ? whole_of_(object.number) : std::nullopt;
    add_target(index);
    if (!whole) continue;
    const std::uint32_t index_of_it = index_of_whole(*whole);
    objects_[index_of_it].counts.add(objects_[index].counts, actors_);
    join(index, index_of_it);
  }
  touched_.clear();
}

void SelectivelyUniform::write_learned(PositionWriter& writer) const {
  all_.write_position(writer, actors_);
  writer.put((knows_pending_ ? 1 : 0) + (is_census_ ? 2 : 0) + (ends_vary_ ? 4 : 0) + (ender_ ? 8 : 0));
  if (ender_) {
    write_name(writer, actors_.name_of(ender_->actor));
    writer.put(ender_->events);
  }
  writer.put_all(objects_, [&](const Object& object) {
    writer.put(object.number);
    writer.put((object.is_shared ? 1 : 0) + (object.is_written ? 2 : 0) + (object.is_whole ? 4 : 0) +
               (object.whole ? 8 : 0));
    if (object.whole) writer.put(objects_[*object.whole].number);
    object.counts.write_position(writer, actors_);
  });
}

bool SelectivelyUniform::read_learned(PositionReader& reader) {
  all_.read_position(reader, actors_);
  const std::uint64_t state = reader.get();
  knows_pending_ = (state & 1) != 0;
  is_census_ = (state & 2) != 0;
  ends_vary_ = (state & 4) != 0;
  if ((state & 8) != 0) {
    const Result<ActorName> name = read_name(reader);
    const std::uint64_t events = reader.get();
    if (name) ender_ = {.actor = actors_.index_of(*name), .events = events};
  }
  reader.get_all([&] {
    const std::uint64_t number = reader.get(), flags = reader.get();
    const std::uint32_t index = (flags & 4) != 0 ? index_of_whole(number) : index_of_object(number);
    objects_[index].is_shared = (flags & 1) != 0;
    objects_[index].is_written = (flags & 2) != 0;
    const bool is_target = (flags & 7) == 3;
    if (is_target) add_target(index);
    if ((flags & 8) != 0) {
      const std::uint32_t whole = index_of_whole(reader.get());
      if (is_target) join(index, whole);
    }
    objects_[index].counts.read_position(reader, actors_);
  });
  return true;
}

}  // namespace ravel
