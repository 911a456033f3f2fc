#include "races/follow_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/check.h"

namespace ravel {

namespace {

using Kind = TraceAction::Kind;

std::string describe(const TraceEvent& event) {
  if (event.actions.empty()) return "does '" + event.operation + "'";
  const TraceAction& action = event.actions.front();
  switch (action.kind) {
    case Kind::kSpawn: return "spawns " + action.actor.to_string();
    case Kind::kSend:
      return fmt::format("sends {} to {}", action.message.to_string(), action.actor.to_string());
    case Kind::kReceive: return "receives " + action.message.to_string();
    case Kind::kExpire: return "goes on without a message";
  }
  return {};
}

// One trace and what was learned of it.
class Follower {
 public:
  Follower(const Trace& trace, System& system, std::uint64_t events_max)
      : trace_(trace), system_(system), events_max_(events_max) {
    for (const ActorTrace& actor : trace.actors) {
      for (std::uint32_t i = 0; i < actor.events.size(); ++i)
        for (const TraceAction& action : actor.events[i].actions)
          if (action.kind == Kind::kSend)
            sender_of_[action.message] = {.actor = actor.actor, .ordinal = i + 1};
    }
  }

  FollowedTrace follow() {
    for (;;) {
      FollowedTrace followed = attempt();
      if (!begins_again_) return followed;
    }
  }

 private:
  // Whether it has happened.
  bool is_done(const EventRef& event) const {
    const auto done = done_.find(event.actor);
    return done != done_.end() && done->second >= event.ordinal;
  }

  const TraceEvent* next_of(const ActorName& actor) const {
    const auto place = std::ranges::find(trace_.actors, actor, &ActorTrace::actor);
    if (place == trace_.actors.end()) return nullptr;
    const auto done = done_.find(actor);
    const std::size_t index = done == done_.end() ? 0 : done->second;
    return index < place->events.size() ? &place->events[index] : nullptr;
  }

  EventRef next_ref(const ActorName& actor) const {
    const auto done = done_.find(actor);
    return {.actor = actor, .ordinal = (done == done_.end() ? 0 : done->second) + 1};
  }

  // What the actor's next event still has to wait for, or nothing.
  std::optional<EventRef> awaited(const ActorName& actor, const TraceEvent& event) const {
    for (const EventRef& other : event.after)
      if (!is_done(other)) return other;
    for (const TraceAction& action : event.actions)
      if (action.kind == Kind::kReceive && !is_done(sender_of_.at(action.message)))
        return sender_of_.at(action.message);
    const auto learned = learned_.find(next_ref(actor));
    if (learned == learned_.end()) return std::nullopt;
    for (const EventRef& other : learned->second)
      if (!is_done(other)) return other;
    return std::nullopt;
  }

  std::optional<Transition> choose(std::optional<ActorId> previous) const {
    std::optional<Transition> chosen;
    for (const Transition& transition : system_.enabled()) {
      if (chosen && transition.actor != previous) continue;
      const ActorName actor = system_.actor_name(transition.actor);
      const TraceEvent* event = next_of(actor);
      if (event == nullptr || event->alternative != transition.alternative || event->kind != transition.kind)
        continue;
      if (!awaited(actor, *event)) chosen = transition;
    }
    return chosen;
  }

  FollowedTrace attempt() {
    begins_again_ = false;
    done_.clear();
    FollowedTrace followed{
        .observation = std::make_unique<Observation>(system_, events_max_), .events = 0, .divergence = {}};
    Observation& observation = *followed.observation;
    std::optional<ActorId> previous;
    const std::size_t length = trace_.length();
    while (followed.events < length) {
      const auto leave = [&](std::string what) {
        followed.divergence = {.step = observation.length() + 1, .what = std::move(what)};
      };
      if (!observation.running()) {
        leave("the execution has already ended");
        break;
      }
      const std::optional<Transition> transition = choose(previous);
      if (!transition) {
        leave(why_stuck());
        break;
      }
      const ActorName actor = system_.actor_name(transition->actor);
      const TraceEvent& expected = *next_of(actor);
      const EventRef ref = next_ref(actor);
      observation.take(*transition);
      previous = transition->actor;
      if (auto problem = compare(observation, expected, ref)) {
        if (begins_again_) return followed;
        leave(std::move(*problem));
        break;
      }
      ++done_[actor];
      ++followed.events;
    }
    return followed;
  }

  // What the last event of the execution did that the trace does not say.
  std::optional<std::string> compare(const Observation& observation, const TraceEvent& expected,
                                     const EventRef& ref) {
    const auto id = static_cast<EventId>(observation.length() - 1);
    const Occurrence& happened = observation.history()[id];
    const TraceAction* receive = expected.receive();
    const std::string who = ref.actor.to_string();
    if ((receive != nullptr) != happened.receives())
      return fmt::format("{} now does '{}', where the trace {}", who,
                         observation.events()[id].description.text, describe(expected));
    if (receive != nullptr) {
      std::optional<MessageName> taken;
      if (happened.taken.event != kNoEvent) taken = observation.name_of(happened.taken);
      std::optional<MessageName> wanted;
      if (receive->kind == Kind::kReceive) wanted = receive->message;
      if (taken == wanted) return std::nullopt;
      const std::string did = taken ? "takes " + taken->to_string() : "goes on without a message";
      if (taken && sender_of_.contains(*taken)) {
        const EventRef sender = sender_of_.at(*taken);
        std::set<EventRef>& known = learned_[sender];
        // If that does not help, the message that it took has priority: then the receive itself comes first.
        for (const EventRef& first : {wanted ? sender_of_.at(*wanted) : ref, ref}) {
          if (first == sender || !known.insert(first).second) continue;
          begins_again_ = true;
          return "";
        }
      }
      return fmt::format("{} {}, where the trace {}", who, did, describe(expected));
    }
    std::size_t sends = 0;
    for (const TraceAction& action : expected.actions) sends += action.kind == Kind::kSend ? 1 : 0;
    if (sends != observation.sent_by(id).size())
      return fmt::format("{} now does '{}', where the trace {}", who,
                         observation.events()[id].description.text, describe(expected));
    return std::nullopt;
  }

  // Why none of the events that are left can happen.
  std::string why_stuck() const {
    for (const ActorTrace& actor : trace_.actors) {
      const TraceEvent* event = next_of(actor.actor);
      if (event == nullptr) continue;
      const std::string who = actor.actor.to_string();
      const auto id = system_.find_actor(actor.actor);
      const bool is_enabled =
          id && std::ranges::any_of(system_.enabled(), [&](const Transition& t) { return t.actor == *id; });
      const auto other = awaited(actor.actor, *event);
      if (other && is_enabled) continue;
      if (!id) return "there is no actor " + who;
      if (!is_enabled)
        return fmt::format("{}, which {} in the trace, can't take a step: it waits, or it has ended", who,
                           describe(*event));
      return fmt::format("{}, which {} in the trace, has no such alternative here", who, describe(*event));
    }
    return "each of the events that are left has to wait for another one of them, as no execution can do it";
  }

  const Trace& trace_;
  System& system_;
  const std::uint64_t events_max_;
  std::map<MessageName, EventRef> sender_of_;
  std::map<EventRef, std::set<EventRef>> learned_;  // what has to happen before an event
  std::map<ActorName, std::uint32_t> done_;
  bool begins_again_ = false;
};

}  // namespace

FollowedTrace follow_trace(System& system, const Trace& trace, std::uint64_t events_max) {
  return Follower(trace, system, events_max).follow();
}

}  // namespace ravel
