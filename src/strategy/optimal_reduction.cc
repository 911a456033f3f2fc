#include "strategy/optimal_reduction.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace ravel {

namespace {

constexpr const char kNotAsBefore[] =
    "independent events did not commute: a footprint leaves out what its event depends on";

// How many traces are remembered, to notice that one is repeated; 8 bytes each, and the table's.
constexpr std::size_t kTracesRemembered = std::size_t{1} << 22;

}  // namespace

// ---- Executions ------------------------------------------------------------------------------------------

std::optional<Plan> OptimalReduction::next_execution() {
  script_.clear();
  script_at_ = 0;
  was_enabled_.clear();
  if (levels_.empty() && system_ == nullptr) {
    levels_.emplace_back();
    script_ = prefix_;
    return Plan{.keep = 0};
  }
  has_ended_ = false;
  if (return_to_next_level()) return Plan{.keep = history_.length()};
  bool drop = std::exchange(is_rejected_, false);
  while (!levels_.empty()) {
    if (!drop) {
      if (!level().candidates.empty()) {
        const Candidate candidate = level().candidates.back();
        level().candidates.pop_back();
        if (open_level(candidate)) return Plan{.keep = history_.length()};
        continue;
      }
      if (std::exchange(level().is_closing, false)) close_last_slot();
      if (level().slots.size() > level().base) {
        collect_candidates();
        candidates_found_ += static_cast<double>(level().candidates.size());
        races_closed_ += races_of(level().slots.back()->event);
        level().is_closing = true;
        continue;
      }
    }
    drop = false;
    while (level().slots.size() > level().base) release_last_slot();
    spare_slots_.insert(spare_slots_.end(), level().copies.begin(), level().copies.end());
    level().copies.clear();
    const History::Mark mark = level().mark;
    const auto executions = static_cast<double>(executions_ - level().executions_before);
    spare_levels_.push_back(std::move(levels_.back()));
    levels_.pop_back();
    if (levels_.empty()) break;
    if (extents_.size() <= levels_.size()) extents_.resize(levels_.size() + 1);
    Extent& extent = extents_[levels_.size()];
    extent.finished += 1;
    extent.executions += executions;
    const std::vector<EventId>& order = level().order;
    std::size_t common = 0;
    while (common < order.size() && common < history_.length() && order[common] == history_.at(common)) ++common;
    history_.rewind(common);
    history_.truncate(mark);
  }
  return std::nullopt;
}

OptimalReduction::Slot& OptimalReduction::new_slot() {
  if (spare_slots_.empty()) spare_slots_.push_back(&slot_storage_.emplace_back());
  Slot& slot = *spare_slots_.back();
  spare_slots_.pop_back();
  slot.event = kNoEvent;
  slot.choice = Choice::kDefault;
  slot.waits_for.clear();
  slot.followers.clear();
  slot.after.clear();
  slot.default_takes = false;
  slot.number = ++slots_opened_;
  return slot;
}

OptimalReduction::Slot& OptimalReduction::copy_of(const Slot& slot) {
  Slot& copy = new_slot();
  const std::uint64_t number = copy.number;
  copy = slot;
  copy.number = number;
  return copy;
}

void OptimalReduction::release_last_slot() {
  if (!inserted_.empty()) inserted_.erase(level().slots.back()->number);
  spare_slots_.push_back(level().slots.back());
  level().slots.pop_back();
}

// Who was able to move before the last event and is not any more.
void OptimalReduction::note_prevented(std::span<const Transition> enabled) {
  const EventId last = history_.at(history_.length() - 1);
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
      level().prevented.push_back({.by = last, .actor = actor, .enabler = history_.enabler_of(actor)});
    else
      at = static_cast<std::size_t>(place - enabled.begin()) + 1;
  }
}

Decision OptimalReduction::choose(const Point& point) {
  system_ = point.system;
  if (is_rejected_) return Decision::abandon();
  CHECK(point.depth == history_.length());
  if (!was_enabled_.empty()) note_prevented(point.enabled);
  history_.see_enabled(point.enabled, *point.system);
  was_enabled_.clear();
  for (const Transition& transition : point.enabled) was_enabled_.push_back(transition.actor);

  const auto take = [&](std::size_t index) { return Decision::take(index, Return::kMaybe); };
  while (script_at_ < script_.size()) {
    const ScriptStep& step = script_[script_at_++];
    for (std::size_t i = 0; i < point.enabled.size(); ++i) {
      if (point.enabled[i].actor != step.actor || point.enabled[i].alternative != step.alternative) continue;
      next_slot_ = step.slot;
      next_decides_ = step.decides_slot;
      if (next_decides_ && step.slot >= level().base)
        slot_at(step.slot).alternatives =
            static_cast<std::uint32_t>(std::ranges::count(point.enabled, step.actor, &Transition::actor));
      return take(i);
    }
    // Only the actor whose turn is decided anew may be unable to move now.
    CHECK_MESSAGE(step.decides_slot && step.slot >= level().base && step.alternative == 0, kNotAsBefore);
    // It waits for what prevents it and for nothing else.
    if (step.slot == level().base && !may_be_prevented()) {
      is_rejected_ = true;
      return Decision::abandon();
    }
  }
  std::size_t chosen = 0;
  if (point.previous) {
    const auto again = std::ranges::find(point.enabled, *point.previous, &Transition::actor);
    if (again != point.enabled.end()) chosen = static_cast<std::size_t>(again - point.enabled.begin());
  }
  const ActorId actor = point.enabled[chosen].actor;
  Slot& slot = new_slot();
  slot.actor = actor;
  slot.alternatives = static_cast<std::uint32_t>(std::ranges::count(point.enabled, actor, &Transition::actor));
  next_slot_ = static_cast<std::uint32_t>(level().slots.size());
  next_decides_ = true;
  level().slots.push_back(&slot);
  return take(chosen);
}

void OptimalReduction::observe(const Event& event) {
  const EventId id = history_.append(event, next_slot_, next_decides_, *system_);
  level().order.push_back(id);
  if (system_->stops_others()) history_.mark_as_end();
  if (!next_decides_) return;
  if (next_slot_ < level().base) {
    const Slot& shared = slot_at(next_slot_);
    Slot& copy = copy_of(shared);
    copy.number = shared.number;
    level().copies.push_back(&copy);
    level().slots[next_slot_] = &copy;
  }
  Slot& slot = slot_at(next_slot_);
  slot.event = id;
  const Occurrence& happened = history_[id];
  if (slot.choice == Choice::kDefault && happened.receives()) {
    slot.default_takes = happened.taken.event != kNoEvent;
    if (slot.default_takes) {
      slot.default_sender = history_[happened.taken.event].name;
      slot.default_touch = happened.taken.touch;
    }
  }
  if (next_slot_ > level().base && !slot.after.empty()) {
    // A follower that does not need what was put before it: this is found elsewhere. It may come to need it if that waits for
    // others itself, though.
    const EventId before = slot_at(next_slot_ - 1).event;
    const auto decides = [](const Touch& touch) { return touch.decides; };
    if (before == kNoEvent ||
        (!history_.precedes(before, id) && std::ranges::none_of(history_.touches(history_[before]), decides)))
      is_rejected_ = true;
  }
  if (next_slot_ != level().base) return;
  if (!slot.followers.empty()) {
    // Several events can be put before one in several orders. The one that counts is the first in the order of actors
    // among those that the causal order allows, and in which there is a race: not without what makes the follower what it is.
    const std::vector<PutBefore>& after = slot.followers.front().after;
    for (std::size_t i = after.size() - 1; i-- > 0;) {
      if (after[i].changes || history_.precedes(after[i].event, id)) break;
      if (history_.comes_before(slot.actor, after[i].event.actor)) is_rejected_ = true;
    }
  }
  if (slot.waits_for.empty()) return;
  if (slot.choice == Choice::kMessage || slot.choice == Choice::kExpiry) return;
  // The event must depend on all that it waits for, and on the newest of it last; else this is another decision,
  // which is found elsewhere.
  const EventName newest = slot.waits_for.back();
  forget_waits_of_newest();
  const EventId last = find_in_order(newest);
  for (const EventName& name : slot.waits_for)
    if (name != newest && is_met_before(id, last, find_in_order(name))) is_rejected_ = true;
  for (const EventId other : level().order)
    if (history_[other].slot == next_slot_ && !history_.precedes(other, id)) is_rejected_ = true;
}

void OptimalReduction::forget_waits_of_newest() {
  Slot& slot = slot_at(level().base);
  const EventName newest = slot.waits_for.back();
  const EventId event = find_in_order(newest);
  std::erase_if(slot.waits_for,
                [&](const EventName& name) { return name != newest && history_.precedes(name, event); });
}

bool OptimalReduction::may_be_prevented() {
  if (slot_at(level().base).waits_for.empty()) return false;  // it can't be put before another one's event
  forget_waits_of_newest();
  return slot_at(level().base).waits_for.size() == 1;
}

Novelty OptimalReduction::end_execution(Outcome outcome) {
  has_ended_ = true;
  const bool was_known = is_known();
  // The execution has ended before the slot's actor, which can't move any more, was asked for.
  const bool is_decided = script_at_ >= script_.size() || script_[script_at_].slot != level().base;
  if (outcome != Outcome::kRunning && !is_decided && !may_be_prevented()) is_rejected_ = true;
  if (is_rejected_) return was_known ? Novelty::kKnown : Novelty::kDiscarded;
  if (outcome == Outcome::kRunning || history_.length() == 0) return was_known ? Novelty::kKnown : Novelty::kNew;
  note_prevented(system_->stops_others() ? std::span<const Transition>() : system_->enabled());
  if (was_known) return Novelty::kKnown;
  if (seen_.size() < kTracesRemembered && !seen_.insert(history_.trace_hash()).second) return Novelty::kRepeated;
  ++executions_;
  return Novelty::kNew;
}

// ---- Making levels ---------------------------------------------------------------------------------------

bool OptimalReduction::open_level(const Candidate& candidate) {
  script_.clear();
  script_at_ = 0;
  switch (candidate.kind) {
    case Candidate::Kind::kAlternative:
      mark_config(candidate.slot, kNoEvent);
      for (const EventId event : config_) add_step(event, candidate.slot);
      add_decision(candidate.slot, history_[slot_at(candidate.slot).event].alternative + 1);
      break;
    case Candidate::Kind::kReversal: script_reversal(candidate); break;
    case Candidate::Kind::kInsertion: script_insertion(candidate); break;
    case Candidate::Kind::kMessage:
      if (!script_message(candidate)) return false;
      break;
    case Candidate::Kind::kExpiry:
      if (!script_expiry(candidate)) return false;
      break;
  }

  Level next;
  if (!spare_levels_.empty()) {
    next = std::move(spare_levels_.back());
    spare_levels_.pop_back();
  }
  next.order.clear();
  next.prevented.clear();
  next.candidates.clear();
  next.is_closing = false;
  next.base = candidate.slot;
  next.origin = candidate;
  next.executions_before = executions_;
  next.mark = history_.mark();
  next.slots.assign(level().slots.begin(), level().slots.begin() + candidate.slot);
  Slot& slot = copy_of(slot_at(candidate.slot));
  slot.event = kNoEvent;
  next.slots.push_back(&slot);
  switch (candidate.kind) {
    case Candidate::Kind::kAlternative: slot.choice = Choice::kAlternative; break;
    case Candidate::Kind::kReversal:
      slot.waits_for.push_back(history_[candidate.event].name);
      break;
    case Candidate::Kind::kMessage: {
      const Occurrence& sender = history_[candidate.event];
      slot.choice = Choice::kMessage;
      const bool is_new = sender.slot > candidate.slot || (sender.slot == candidate.slot && sender.decides_slot);
      if (is_new) {
        std::erase_if(slot.waits_for,
                      [&](const EventName& name) { return history_.precedes(name, candidate.event); });
        slot.waits_for.push_back(sender.name);
      }
      break;
    }
    case Candidate::Kind::kInsertion: {
      const Occurrence& owner = history_[slot_at(candidate.slot).event];
      slot.actor = candidate.actor;
      std::uint32_t ordinal = 0;
      for (const EventId event : config_)
        if (history_[event].name.actor == candidate.actor) ++ordinal;
      for (PutBefore& earlier : slot.after)
        earlier.changes = !history_.keeps_touches(slot_at(candidate.slot).event, find_in_order(earlier.event));
      slot.after.push_back({.event = {.actor = candidate.actor, .ordinal = ordinal}});
      slot.followers.insert(slot.followers.begin(), {.event = owner.name, .after = std::move(slot.after)});
      slot.after.clear();
      slot.waits_for.clear();
      break;
    }
    case Candidate::Kind::kExpiry: slot.choice = Choice::kExpiry; break;
  }

  const std::vector<Follower> followers = slot.followers;
  for (std::size_t i = 0; i < followers.size(); ++i) {
    Slot& following = new_slot();
    following.alternatives = 1;
    following.actor = followers[i].event.actor;
    following.followers.assign(followers.begin() + static_cast<std::ptrdiff_t>(i) + 1, followers.end());
    following.after = followers[i].after;
    script_.push_back({.actor = following.actor, .alternative = 0, .slot = static_cast<std::uint32_t>(next.slots.size()),
                       .decides_slot = true, .event = kNoEvent});
    next.slots.push_back(&following);
  }

  std::size_t keep = 0;
  while (keep < script_.size() && keep < history_.length() && script_[keep].event != kNoEvent &&
         script_[keep].event == history_.at(keep))
    ++keep;
  history_.rewind(keep);
  script_at_ = keep;
  for (std::size_t i = 0; i < keep; ++i) next.order.push_back(history_.at(i));
  levels_.push_back(std::move(next));
  return true;
}

void OptimalReduction::add_step(EventId event, std::uint32_t slot) {
  const Occurrence& known = history_[event];
  const bool is_old = known.slot < slot || (known.slot == slot && !known.decides_slot);
  script_.push_back({.actor = known.name.actor,
                     .alternative = known.alternative,
                     .slot = is_old ? known.slot : slot,
                     .decides_slot = is_old && known.decides_slot,
                     .event = is_old ? event : kNoEvent});
}

void OptimalReduction::add_decision(std::uint32_t slot, std::uint32_t alternative) {
  script_.push_back({.actor = slot_at(slot).actor, .alternative = alternative, .slot = slot,
                     .decides_slot = true, .event = kNoEvent});
}

void OptimalReduction::script_insertion(const Candidate& candidate) {
  mark_config(candidate.slot, candidate.event, candidate.enabler);
  for (const EventId event : config_) add_step(event, candidate.slot);
  script_.push_back({.actor = candidate.actor, .alternative = 0, .slot = candidate.slot, .decides_slot = true,
                     .event = kNoEvent});
}

void OptimalReduction::script_reversal(const Candidate& candidate) {
  mark_config(candidate.slot, candidate.event);
  for (const EventId event : config_) add_step(event, candidate.slot);
  add_decision(candidate.slot, 0);
}

bool OptimalReduction::script_message(const Candidate& candidate) {
  mark_config(candidate.slot, candidate.event);
  find_takeable(slot_at(candidate.slot).event, takeable_);
  const EventId first[] = {candidate.event};
  mark_before(first);
  for (const Sent& rival : takeable_) {
    if (rival.event == candidate.event ? rival.touch < candidate.touch : before_[rival.event] != 0) return false;
  }
  // Everything up to the first rival stays, then comes what the message needs, then the rest.
  std::size_t stays = 0;
  const auto is_rival = [&](EventId event) {
    return event != candidate.event && std::ranges::find(takeable_, event, &Sent::event) != takeable_.end();
  };
  while (stays < config_.size() && !is_rival(config_[stays])) ++stays;
  for (std::size_t i = 0; i < stays; ++i) add_step(config_[i], candidate.slot);
  for (std::size_t i = stays; i < config_.size(); ++i)
    if (before_[config_[i]] != 0) add_step(config_[i], candidate.slot);
  for (std::size_t i = stays; i < config_.size(); ++i)
    if (before_[config_[i]] == 0) add_step(config_[i], candidate.slot);
  add_decision(candidate.slot, 0);
  return true;
}

bool OptimalReduction::script_expiry(const Candidate& candidate) {
  const EventId receive = slot_at(candidate.slot).event;
  mark_config(candidate.slot, kNoEvent);
  find_takeable(receive, takeable_);
  mark_before(causes_without_message(receive));
  for (const Sent& rival : takeable_)
    if (before_[rival.event] != 0) return false;
  std::size_t stays = 0;
  const auto is_rival = [&](EventId event) {
    return std::ranges::find(takeable_, event, &Sent::event) != takeable_.end();
  };
  while (stays < config_.size() && !is_rival(config_[stays])) ++stays;
  for (std::size_t i = 0; i < stays; ++i) add_step(config_[i], candidate.slot);
  for (std::size_t i = stays; i < config_.size(); ++i)
    if (before_[config_[i]] != 0) add_step(config_[i], candidate.slot);
  add_decision(candidate.slot, 0);
  for (std::size_t i = stays; i < config_.size(); ++i)
    if (before_[config_[i]] == 0) add_step(config_[i], candidate.slot);
  return true;
}

// ---- Configurations --------------------------------------------------------------------------------------

void OptimalReduction::mark_config(std::uint32_t slot, EventId event, EventId other) {
  for (const EventId old : config_) in_config_[old] = 0;
  config_.clear();
  const Level& l = level();
  const EventId decision = l.slots[slot]->event;
  for (const EventId candidate : l.order) {
    if (candidate == decision) continue;
    const Occurrence& known = history_[candidate];
    const bool belongs = known.slot < slot || (known.slot == slot && !known.decides_slot) ||
                         (event != kNoEvent && history_.precedes(candidate, event)) ||
                         (other != kNoEvent && history_.precedes(candidate, other));
    if (!belongs) continue;
    if (in_config_.size() <= candidate) {
      in_config_.resize(candidate + 64, 0);
      before_.resize(candidate + 64, 0);
    }
    in_config_[candidate] = 1;
    config_.push_back(candidate);
  }
}

void OptimalReduction::mark_before(std::span<const EventId> events) {
  // What receives observe: the first has to come before the second.
  std::vector<std::pair<EventId, EventId>> observed;
  for (const EventId event : config_) {
    before_[event] = 0;
    const Occurrence& known = history_[event];
    for (const Sent& rival : history_.rivals(known))
      if (in_config(rival.event)) observed.emplace_back(known.taken.event, rival.event);
    for (const LateReceive& late : history_.late_receives(known)) {
      if (!in_config(late.receive)) continue;
      const EventId taken = history_[late.receive].taken.event;
      observed.emplace_back(taken == kNoEvent ? late.receive : taken, event);
    }
  }
  for (const EventId event : events) before_[event] = 1;
  for (std::size_t i = config_.size(); i-- > 0;) {
    const EventId event = config_[i];
    if (before_[event] == 0) continue;
    for (const EventId cause : history_.predecessors(history_[event]))
      if (in_config(cause)) before_[cause] = 1;
    for (const auto& [earlier, later] : observed)
      if (later == event) before_[earlier] = 1;
  }
}

EventId OptimalReduction::find_in_config(const EventName& name) const {
  for (const EventId event : config_)
    if (history_[event].name == name) return event;
  CHECK(false);
}

void OptimalReduction::find_takeable(EventId receive, std::vector<Sent>& messages) const {
  messages.clear();
  const Occurrence& known = history_[receive];
  if (known.taken.event != kNoEvent) messages.push_back(known.taken);
  for (const Sent& rival : history_.rivals(known)) messages.push_back(rival);
  for (const EventId event : config_)
    for (const LateReceive& late : history_.late_receives(history_[event]))
      if (late.receive == receive) messages.push_back({.event = event, .touch = late.touch});
  std::erase_if(messages, [&](const Sent& sent) { return !in_config(sent.event); });
}

Sent OptimalReduction::first_in_canonical_order(std::span<const Sent> messages) {
  std::vector<EventId> left(config_.begin(), config_.end());
  std::ranges::sort(left, [&](EventId a, EventId b) {
    const EventName &one = history_[a].name, &other = history_[b].name;
    if (one.actor == other.actor) return one.ordinal < other.ordinal;
    return history_.comes_before(one.actor, other.actor);
  });
  while (!left.empty()) {
    for (auto place = left.begin(); place != left.end(); ++place) {
      const EventId event = *place;
      const EventId wanted[] = {event};
      mark_before(wanted);
      const bool is_next = std::ranges::none_of(
          left, [&](EventId other) { return other != event && before_[other] != 0; });
      if (!is_next) continue;
      Sent found;
      for (const Sent& sent : messages)
        if (sent.event == event && (found.event == kNoEvent || sent.touch < found.touch)) found = sent;
      if (found.event != kNoEvent) return found;
      left.erase(place);
      break;
    }
  }
  return {};
}

}  // namespace ravel
