#include "races/observation.h"

#include <algorithm>

#include "base/check.h"

namespace ravel {

Observation::Observation(System& system, std::uint64_t events_max)
    : system_(system), recorder_(system, events_max) {}

void Observation::take(const Transition& transition) {
  std::vector<std::uint32_t>& others = other_alternatives_.emplace_back();
  for (const Transition& other : system_.enabled())
    if (other.actor == transition.actor && other.kind == transition.kind && other != transition)
      others.push_back(other.alternative);
  history_.see_enabled(system_.enabled(), system_);
  const Event event = recorder_.take(transition);
  const EventId id = history_.append(event, system_);
  CHECK(id + 1 == history_.length());
  if (system_.stops_others()) history_.mark_as_end();
  messages_before_.push_back(messages_.size());
  const std::span<const Touch> touches = history_.touches(history_[id]);
  const ActorName& sender = recorder_.events().back().actor;
  for (std::uint32_t touch = 0; touch < touches.size(); ++touch) {
    if (!is_send(touches[touch].access)) continue;
    messages_.push_back(
        {.sent = {.event = id, .touch = touch}, .name = {.sender = sender, .ordinal = ++counts_[sender]}});
    sent_.push_back(messages_.back().sent);
  }
}

std::optional<Transition> Observation::find(const NamedStep& step) const {
  const std::optional<ActorId> actor = system_.find_actor(step.actor);
  if (!actor || !running()) return std::nullopt;
  for (const Transition& transition : system_.enabled())
    if (transition.actor == *actor && transition.alternative == step.alternative &&
        transition.kind == step.kind)
      return transition;
  return std::nullopt;
}

void Observation::run(std::span<const NamedStep> steps) {
  for (const NamedStep& step : steps) {
    const std::optional<Transition> transition = find(step);
    if (!transition) break;
    take(*transition);
  }
  while (running()) take_first();
}

const Recording& Observation::finish() {
  CHECK(!is_finished_);
  recording_ = recorder_.finish();
  is_finished_ = true;
  const std::optional<std::size_t> events = recording_.bug ? system_.events_to_bug() : std::nullopt;
  if (events && *events <= length()) bug_event_ = static_cast<EventId>(*events - 1);
  return recording_;
}

std::span<const Sent> Observation::sent_by(EventId event) const {
  const std::size_t begin = messages_before_[event];
  const std::size_t end = event + 1 < messages_before_.size() ? messages_before_[event + 1] : sent_.size();
  return std::span(sent_).subspan(begin, end - begin);
}

MessageName Observation::name_of(const Sent& message) const {
  const auto place = std::ranges::find(sent_, message);
  CHECK(place != sent_.end());
  return messages_[static_cast<std::size_t>(place - sent_.begin())].name;
}

const std::string& Observation::value_of(const Sent& message) const {
  static const std::string kNothing;
  const std::vector<std::string>& values = events()[message.event].description.sent;
  const std::span<const Sent> sent = sent_by(message.event);
  const auto index = static_cast<std::size_t>(std::ranges::find(sent, message) - sent.begin());
  return index < values.size() ? values[index] : kNothing;
}

ActorName Observation::receiver_of(const Sent& message) const {
  const Touch& touch = history_.touches(history_[message.event])[message.touch];
  const std::optional<ActorId> owner = system_.owner_of(touch.object);
  CHECK(owner.has_value());
  return system_.actor_name(*owner);
}

EventRef Observation::ref_of(EventId event) const {
  return {.actor = events()[event].actor, .ordinal = history_[event].name.ordinal + 1};
}

NamedStep Observation::step_of(EventId event) const {
  const RecordedEvent& recorded = events()[event];
  return {.actor = recorded.actor,
          .alternative = recorded.transition.alternative,
          .kind = recorded.transition.kind};
}

std::vector<Sent> Observation::orphans() const {
  std::vector<Sent> left;
  for (const Sent& message : sent_) {
    const std::uint64_t mailbox = history_.touches(history_[message.event])[message.touch].object;
    const std::span<const Sent> lie_there = history_.messages_in(mailbox);
    if (std::ranges::find(lie_there, message) != lie_there.end()) left.push_back(message);
  }
  return left;
}

namespace {

// Whether an event has made the actor of another one, which is that actor's first.
bool spawns(const Observation& observation, EventId event, EventId first) {
  const History& history = observation.history();
  if (history[first].name.ordinal != 0) return false;
  return std::ranges::any_of(history.touches(history[event]), [&](const Touch& touch) {
    return touch.access == Access::kCreate &&
           observation.system().owner_of(touch.object) == history[first].name.actor;
  });
}

}  // namespace

Trace trace_of(const Observation& observation, std::uint64_t events_max) {
  using Kind = TraceAction::Kind;
  const History& history = observation.history();
  System& system = observation.system();
  Trace trace;
  trace.events_max = events_max;
  std::map<ActorName, ActorTrace> actors;
  for (EventId id = 0; id < observation.length(); ++id) {
    const Occurrence& happened = history[id];
    const RecordedEvent& recorded = observation.events()[id];
    ActorTrace& actor = actors[recorded.actor];
    actor.actor = recorded.actor;
    TraceEvent& event = actor.events.emplace_back();
    event.alternative = recorded.transition.alternative;
    event.kind = recorded.transition.kind;
    event.operation = recorded.description.text;
    event.file = recorded.description.file;
    event.line = recorded.description.line;
    for (std::uint32_t i = 0; i < history.touches(happened).size(); ++i) {
      const Touch& touch = history.touches(happened)[i];
      if (touch.access == Access::kCreate) {
        if (const auto child = system.owner_of(touch.object))
          event.actions.push_back(
              {.kind = Kind::kSpawn, .actor = system.actor_name(*child), .message = {}, .text = {}});
      } else if (is_send(touch.access)) {
        const Sent sent{.event = id, .touch = i};
        event.actions.push_back({.kind = Kind::kSend,
                                 .actor = observation.receiver_of(sent),
                                 .message = observation.name_of(sent),
                                 .text = observation.value_of(sent)});
      } else if (i == happened.receive_touch) {
        TraceAction action{
            .kind = Kind::kExpire, .actor = {}, .message = {}, .text = recorded.description.constraint};
        if (happened.taken.event != kNoEvent) {
          action.kind = Kind::kReceive;
          action.message = observation.name_of(happened.taken);
        }
        event.actions.push_back(std::move(action));
      }
    }
    for (const EventId cause : history.predecessors(happened)) {
      if (history[cause].name.actor == happened.name.actor || spawns(observation, cause, id)) continue;
      // The sending of the event's message came before: that needs no saying.
      if (cause == happened.taken.event && !history.touches_conflict(cause, id)) continue;
      // What follows from the others needs none either.
      if (history.precedes_without(history[cause].name, id, cause)) continue;
      event.after.push_back(observation.ref_of(cause));
    }
    std::ranges::sort(event.after);
  }
  for (auto& [name, actor] : actors) trace.actors.push_back(std::move(actor));
  return trace;
}

}  // namespace ravel
