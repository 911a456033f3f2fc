#include "strategy/history/history.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"

namespace ravel {

bool History::precedes_without(const EventName& a, EventId b, EventId c) const {
  for (const EventId cause : predecessors(pool_[b]))
    if (cause != c && precedes(a, cause)) return true;
  return false;
}

std::vector<std::size_t> History::causes_of(std::size_t position) const {
  std::vector<std::size_t> causes;
  for (std::size_t i = 0; i <= position; ++i)
    if (precedes(current_[i], current_[position])) causes.push_back(i);
  return causes;
}

void History::see_enabled(std::span<const Transition> enabled, const SystemView& system) {
  for (const Transition& transition : enabled) {
    const auto index = static_cast<std::uint32_t>(transition.actor);
    if (index < actors_.size() && actors_[index].ready_at != kNotReady) continue;
    meet(transition.actor, system);
    actors_[index].ready_at = static_cast<std::uint32_t>(length());
    undo_.push_back({.kind = Undo::Kind::kReady, .index = index});
  }
}

void History::meet(ActorId actor, const SystemView& system) {
  const auto index = static_cast<std::uint32_t>(actor);
  if (index >= actors_.size()) actors_.resize(index + 1);
  if (!knows_name(actor)) learn_name(actor, system);
}

std::uint32_t History::object_index(std::uint64_t object) {
  const std::uint32_t index = object_of_.find_or_add(object, static_cast<std::uint32_t>(objects_.size()));
  if (index == objects_.size()) objects_.emplace_back();
  return index;
}

// Ids are given as actors are met; names are the same in every System.
void History::learn_name(ActorId actor, const SystemView& system) {
  const auto index = static_cast<std::uint32_t>(actor);
  if (index >= names_.size()) names_.resize(index + 1);
  KnownName& known = names_[index];
  known.name = system.actor_name(actor);
  known.hash = hash_string(known.name.to_string()) | 1;
}

// The latest of the clocks of its causes, and longer if its own actor is.
Occurrence::Range History::add_clock(std::uint32_t actor, std::uint32_t count) {
  const auto begin = static_cast<std::uint32_t>(clocks_.size());
  std::uint32_t length = actor + 1;
  for (const EventId cause : causes_)
    length = std::max(length, pool_[cause].clock.end - pool_[cause].clock.begin);
  clocks_.resize(begin + length, 0);
  std::uint32_t* const clock = clocks_.data() + begin;
  for (const EventId cause : causes_) {
    const Occurrence::Range range = pool_[cause].clock;
    const std::uint32_t* const its = clocks_.data() + range.begin;
    for (std::uint32_t i = 0; i < range.end - range.begin; ++i) clock[i] = std::max(clock[i], its[i]);
  }
  clock[actor] = count;
  return {.begin = begin, .end = begin + length};
}

void History::add_predecessor(EventId event) {
  if (std::exchange(cause_in_[event], appends_) != appends_) causes_.push_back(event);
}

// The last events of all actors: what is before the passing before is in the past of that.
void History::add_all_predecessors() {
  for (const Actor& actor : actors_)
    if (actor.last != kNoEvent && !is_before_passing(actor.last)) add_predecessor(actor.last);
}

void History::add_conflicting(std::uint32_t list, const Touch& touch, EventId event, SystemView& system) {
  for (std::uint32_t node = list; node != kNone; node = nodes_[node].next) {
    const EventId other = nodes_[node].event;
    if (is_before_passing(other)) break;
    if (other == event || !conflicts(nodes_[node].access, touch.access)) continue;
    if (!touch.is_coarse || ask_closely(other, event, system)) add_predecessor(other);
  }
}

// Finds what the touch depends on, and makes the object remember it.
void History::touch_object(std::uint32_t index, const Touch& touch, EventId event, SystemView& system) {
  Object& object = objects_[index];
  if (object.writer != kNoEvent && object.writer != event && !is_before_passing(object.writer))
    add_predecessor(object.writer);
  const bool is_write = ravel::is_write(touch.access);
  const bool is_read = touch.access == Access::kRead;
  if (!is_read && object.reads != kNone) add_conflicting(object.reads, touch, event, system);
  // Among the uses there may be coarse writes, which conflict with whatever is coarse, too.
  if (object.uses != kNone && (is_read || is_write || touch.is_coarse))
    add_conflicting(object.uses, touch, event, system);
  undo_.push_back({.kind = Undo::Kind::kObject,
                   .index = index,
                   .first = object.writer,
                   .second = object.reads,
                   .third = object.uses});
  // A coarse write may commute with what comes later although it conflicts with what came before.
  if (is_write && !touch.is_coarse) {
    object.writer = event;
    object.reads = object.uses = kNone;
    return;
  }
  std::uint32_t& list = is_read ? object.reads : object.uses;
  nodes_.push_back({.event = event, .access = touch.access, .next = list});
  list = static_cast<std::uint32_t>(nodes_.size() - 1);
}

// Priority messages come after those that are there, and ahead of all others.
void History::add_message(Object& mailbox, std::uint32_t index, const Sent& message) {
  auto place = mailbox.messages.end();
  if (is_priority(message)) {
    has_priority_messages_ = true;
    place =
        std::ranges::find_if_not(mailbox.messages, [this](const Sent& other) { return is_priority(other); });
  }
  undo_.push_back({.kind = Undo::Kind::kSent,
                   .index = index,
                   .first = static_cast<std::uint32_t>(place - mailbox.messages.begin())});
  mailbox.messages.insert(place, message);
}

EventId History::append(const Event& event, SystemView& system) {
  Occurrence& occurrence = begin_occurrence(event, system);
  const EventId id = current_.back();
  add_time_and_own_past(occurrence);
  touch_objects(event.footprint, occurrence, system);
  move_messages(event.footprint, occurrence);
  note_causes(occurrence);
  if (occurrence.receives() && occurrence.taken.event != kNoEvent) find_rivals(occurrence, system);
  find_late_receives(event.footprint, occurrence, system);
  count_for_actor(occurrence);
  return id;
}

// A new one at the end of the current execution.
Occurrence& History::begin_occurrence(const Event& event, const SystemView& system) {
  const auto id = static_cast<EventId>(pool_.size());
  const auto position = static_cast<std::uint32_t>(length());
  const auto actor_index = static_cast<std::uint32_t>(event.actor);
  if (actor_index >= actors_.size()) actors_.resize(actor_index + 1);
  // What see_enabled() noted for this position belongs to it as well, and is taken back with it.
  undo_from_.resize(position + 1, undo_.size());
  if (!knows_name(event.actor)) learn_name(event.actor, system);

  Occurrence& occurrence = pool_.emplace_back();
  if (cause_in_.size() < pool_.size()) cause_in_.resize(pool_.capacity(), 0);
  const Actor& actor = actors_[actor_index];
  occurrence.name = {.actor = event.actor, .ordinal = actor.count};
  occurrence.alternative = event.alternative;
  occurrence.position = position;
  occurrence.ready_at = actor.ready_at;
  occurrence.is_passing =
      std::ranges::any_of(event.footprint, [](const Touch& touch) { return touch.access == Access::kPass; });
  if (passed_ != kNoEvent) occurrence.passings = pool_[passed_].passings + 1;
  current_.push_back(id);
  causes_.clear();
  asked_.clear();
  ++appends_;
  return occurrence;
}

void History::add_time_and_own_past(Occurrence& occurrence) {
  const EventId own = actors_[static_cast<std::uint32_t>(occurrence.name.actor)].last;
  if (own != kNoEvent) add_predecessor(own);
  if (occurrence.is_passing) add_all_predecessors();
  if (passed_ != kNoEvent && (own == kNoEvent || is_before_passing(own))) add_predecessor(passed_);
}

void History::touch_objects(Footprint footprint, Occurrence& occurrence, SystemView& system) {
  occurrence.touches.begin = static_cast<std::uint32_t>(touches_.size());
  touches_.insert(touches_.end(), footprint.begin(), footprint.end());
  occurrence.touches.end = static_cast<std::uint32_t>(touches_.size());
  if (std::ranges::any_of(footprint, &Touch::is_coarse))
    occurrence.close_key = system.close_key(occurrence.position);
  touched_.clear();
  for (const Touch& touch : footprint) {
    occurrence.summary.add(touch);
    touched_.push_back(object_index(touch.object));
    touch_object(touched_.back(), touch, current_.back(), system);
  }
}

// Puts messages into mailboxes and takes them from there.
void History::move_messages(Footprint footprint, Occurrence& occurrence) {
  const EventId id = current_.back();
  for (std::uint32_t number = 0; number < touched_.size(); ++number) {
    const Touch& touch = footprint[number];
    const std::uint32_t index = touched_[number];
    Object& mailbox = objects_[index];
    switch (touch.access) {
      case Access::kRead:
      case Access::kWrite:
      case Access::kCreate:
      case Access::kChange:
      case Access::kAcquire:
      case Access::kRelease:
      case Access::kSendInVain:
      case Access::kPass: break;
      case Access::kSend:
        if (!std::exchange(mailbox.is_mailbox, true)) mailboxes_.push_back(index);
        add_message(mailbox, index, {.event = id, .touch = number});
        break;
      case Access::kRemove:
      case Access::kReceive:
      case Access::kReceiveOrExpire:
      case Access::kExpire: {
        if (touch.access != Access::kExpire) {
          CHECK(touch.message < mailbox.messages.size());
          const Sent taken = mailbox.messages[touch.message];
          mailbox.messages.erase(mailbox.messages.begin() + touch.message);
          undo_.push_back({.kind = Undo::Kind::kTaken,
                           .index = index,
                           .first = touch.message,
                           .second = taken.event,
                           .third = taken.touch});
          if (touch.access == Access::kRemove) break;
          occurrence.taken = taken;
          if (taken.event != id) add_predecessor(taken.event);
        }
        occurrence.receive_touch = number;
        mailbox.receives.push_back(id);
        undo_.push_back({.kind = Undo::Kind::kReceive, .index = index});
        break;
      }
    }
  }
}

// All causes are known.
void History::note_causes(Occurrence& occurrence) {
  const ActorId actor = occurrence.name.actor;
  const std::uint32_t ordinal = occurrence.name.ordinal;
  occurrence.clock = add_clock(static_cast<std::uint32_t>(actor), ordinal + 1);
  occurrence.predecessors.begin = static_cast<std::uint32_t>(ids_.size());
  ids_.insert(ids_.end(), causes_.begin(), causes_.end());
  occurrence.predecessors.end = static_cast<std::uint32_t>(ids_.size());

  occurrence.commuting.begin = static_cast<std::uint32_t>(ids_.size());
  for (const auto& [other, conflicts_closely] : asked_)
    if (!conflicts_closely) ids_.push_back(other);
  occurrence.commuting.end = static_cast<std::uint32_t>(ids_.size());

  std::uint64_t causes = 0;
  for (const EventId cause : causes_) causes += mix(pool_[cause].hash);
  const std::uint64_t own = combine(name_hash(actor), std::uint64_t{ordinal} << 32 | occurrence.alternative);
  const Sent& taken = occurrence.taken;
  const std::uint64_t message = taken.event == kNoEvent ? 0 : mix(pool_[taken.event].hash + taken.touch + 1);
  occurrence.hash = mix(causes ^ own ^ message);
  hash_sums_.push_back(trace_hash() + mix(occurrence.hash));
}

// Which of the messages that lie there could have been taken instead.
void History::find_rivals(Occurrence& occurrence, SystemView& system) {
  occurrence.rivals.begin = static_cast<std::uint32_t>(sent_.size());
  for (const Sent& other : objects_[touched_[occurrence.receive_touch]].messages) {
    if (lies_after(other, occurrence.taken))
      note_overtaking(current_.back(), other.event, other.touch, system);
    else if (system.could_take(occurrence.position, pool_[other.event].position, other.touch))
      sent_.push_back(other);
  }
  occurrence.rivals.end = static_cast<std::uint32_t>(sent_.size());
}

// Which earlier receives could have taken messages that it has sent.
void History::find_late_receives(Footprint footprint, Occurrence& occurrence, SystemView& system) {
  const EventId id = current_.back();
  occurrence.late_receives.begin = static_cast<std::uint32_t>(late_.size());
  for (std::uint32_t number = 0; number < touched_.size(); ++number) {
    if (!is_send(footprint[number].access)) continue;
    for (const EventId receive : objects_[touched_[number]].receives) {
      const Sent& taken = pool_[receive].taken;
      if (precedes(receive, id)) continue;
      if (taken.event != kNoEvent && lies_after({.event = id, .touch = number}, taken)) {
        note_overtaking(receive, id, number, system);
        continue;
      }
      if (!system.could_take(pool_[receive].position, occurrence.position, number)) continue;
      late_.push_back({.receive = receive, .touch = number});
    }
  }
  occurrence.late_receives.end = static_cast<std::uint32_t>(late_.size());
}

// The event is its actor's last one now, and the last with which time has passed if time passes with it.
void History::count_for_actor(const Occurrence& occurrence) {
  const EventId id = current_.back();
  if (occurrence.is_passing) {
    undo_.push_back({.kind = Undo::Kind::kPassed, .index = 0, .first = passed_});
    passed_ = id;
  }
  const auto index = static_cast<std::uint32_t>(occurrence.name.actor);
  Actor& actor = actors_[index];
  undo_.push_back({.kind = Undo::Kind::kActor,
                   .index = index,
                   .first = actor.last,
                   .second = actor.count,
                   .third = actor.ready_at});
  actor = {.last = id, .count = actor.count + 1, .ready_at = kNotReady};
}

// A message that follows from the one that was taken could only have come first if messages of other actors
// were faster.
void History::note_overtaking(EventId receive, EventId send, std::uint32_t touch, SystemView& system) const {
  const Occurrence &taken = pool_[pool_[receive].taken.event], &overtaking = pool_[send];
  // Whatever was on its way has arrived when time passes.
  if (taken.passings != overtaking.passings) return;
  if (!system.notes_overtaking() || taken.name.actor == overtaking.name.actor ||
      taken.name.actor == pool_[receive].name.actor)
    return;
  if (system.could_take(pool_[receive].position, overtaking.position, touch))
    system.note_overtaking(pool_[receive].position, taken.position, overtaking.position);
}

void History::mark_as_end() {
  Occurrence& last = pool_[current_.back()];
  causes_.clear();
  last.clock.begin = static_cast<std::uint32_t>(clocks_.size());
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    clocks_.push_back(actors_[i].count);
    if (actors_[i].last != kNoEvent && actors_[i].last != current_.back()) causes_.push_back(actors_[i].last);
  }
  for (const EventId cause : predecessors(last))
    if (std::ranges::find(causes_, cause) == causes_.end()) causes_.push_back(cause);
  last.late_receives.end = last.late_receives.begin;  // a receive of its messages would come after it
  last.clock.end = static_cast<std::uint32_t>(clocks_.size());
  last.predecessors.begin = static_cast<std::uint32_t>(ids_.size());
  ids_.insert(ids_.end(), causes_.begin(), causes_.end());
  last.predecessors.end = static_cast<std::uint32_t>(ids_.size());
}

void History::rewind(std::size_t length) {
  if (length >= current_.size()) return;
  while (undo_.size() > undo_from_[length]) {
    const Undo undo = undo_.back();
    undo_.pop_back();
    switch (undo.kind) {
      case Undo::Kind::kObject:
        objects_[undo.index].writer = undo.first;
        objects_[undo.index].reads = undo.second;
        objects_[undo.index].uses = undo.third;
        break;
      case Undo::Kind::kSent: {
        std::vector<Sent>& messages = objects_[undo.index].messages;
        messages.erase(messages.begin() + undo.first);
        break;
      }
      case Undo::Kind::kTaken: {
        std::vector<Sent>& messages = objects_[undo.index].messages;
        messages.insert(messages.begin() + undo.first, {.event = undo.second, .touch = undo.third});
        break;
      }
      case Undo::Kind::kReceive: objects_[undo.index].receives.pop_back(); break;
      case Undo::Kind::kActor:
        actors_[undo.index] = {.last = undo.first, .count = undo.second, .ready_at = undo.third};
        break;
      case Undo::Kind::kReady: actors_[undo.index].ready_at = kNotReady; break;
      case Undo::Kind::kPassed: passed_ = undo.first; break;
    }
  }
  undo_from_.resize(length);
  current_.resize(length);
  hash_sums_.resize(length);
}

std::uint64_t History::state_hash() const {
  std::uint64_t hash = trace_hash();
  for (const std::uint32_t index : mailboxes_) {
    const std::vector<Sent>& messages = objects_[index].messages;
    if (messages.size() < 2) continue;
    std::uint64_t order = 0;
    for (const Sent& message : messages) order = combine(order, pool_[message.event].hash + message.touch);
    hash += order;
  }
  return hash;
}

bool History::creates(EventId event, EventId first) const {
  if (pool_[first].name.ordinal != 0) return false;
  for (const Touch& one : touches(pool_[event]))
    for (const Touch& other : touches(pool_[first]))
      if (one.access == Access::kCreate && one.object == other.object) return true;
  return false;
}

bool History::acquires_from(EventId later, EventId earlier, Access access) const {
  for (const Touch& own : touches(pool_[later]))
    for (const Touch& other : touches(pool_[earlier]))
      if (own.access == Access::kAcquire && other.object == own.object && other.access == access) return true;
  return false;
}

bool History::touches_conflict(EventId a, EventId b) const {
  for (const Touch& one : touches(pool_[a]))
    for (const Touch& other : touches(pool_[b]))
      if (conflict_by(one, a, other, b)) return true;
  return false;
}

bool History::conflicts_apart_from(EventId event, std::uint32_t touch, EventId other) const {
  const std::span<const Touch> own = touches(pool_[event]);
  for (std::uint32_t i = 0; i < own.size(); ++i)
    for (const Touch& its : touches(pool_[other]))
      if (i != touch && conflict_by(own[i], event, its, other)) return true;
  return false;
}

std::span<const Sent> History::messages_in(std::uint64_t mailbox) const {
  const std::optional<std::uint32_t> index = object_of_.find(mailbox);
  if (!index) return {};
  return objects_[*index].messages;
}

bool History::commute_closely(EventId a, EventId b) const {
  const Occurrence::Range range = pool_[std::max(a, b)].commuting;
  const auto begin = ids_.begin() + range.begin, end = ids_.begin() + range.end;
  return std::find(begin, end, std::min(a, b)) != end;
}

bool History::conflict_by(const Touch& x, EventId a, const Touch& y, EventId b) const {
  return x.object == y.object && conflicts(x.access, y.access) &&
         !(x.is_coarse && y.is_coarse && commute_closely(a, b));
}

bool History::ask_closely(EventId earlier, EventId later, SystemView& system) {
  if (pool_[earlier].name.actor == pool_[later].name.actor) return true;
  const auto known = std::ranges::find(asked_, earlier, &std::pair<EventId, bool>::first);
  if (known != asked_.end()) return known->second;
  asked_.emplace_back(earlier, system.conflict_closely(pool_[earlier].position, pool_[later].position));
  return asked_.back().second;
}

bool History::keeps_touches(EventId event, EventId other) const {
  for (const Touch& own : touches(pool_[event]))
    for (const Touch& touch : touches(pool_[other]))
      if (own.decides && conflict_by(own, event, touch, other)) return false;
  return true;
}

History::Mark History::mark() const {
  return {.pool = pool_.size(),
          .touches = touches_.size(),
          .clocks = clocks_.size(),
          .ids = ids_.size(),
          .sent = sent_.size(),
          .late = late_.size(),
          .nodes = nodes_.size()};
}

void History::truncate(const Mark& mark) {
  pool_.resize(mark.pool);
  touches_.resize(mark.touches);
  clocks_.resize(mark.clocks);
  ids_.resize(mark.ids);
  sent_.resize(mark.sent);
  late_.resize(mark.late);
  nodes_.resize(mark.nodes);
}

}  // namespace ravel
