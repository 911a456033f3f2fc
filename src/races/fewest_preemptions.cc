#include "races/fewest_preemptions.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "races/message_races.h"

namespace ravel {

namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// The orders of one execution's events.
class Orders {
 public:
  explicit Orders(const Observation& observation)
      : observation_(observation), history_(observation.history()) {
    const auto length = static_cast<std::uint32_t>(observation.length());
    std::vector<EventId> events(length);
    for (std::uint32_t i = 0; i < length; ++i) events[i] = i;
    const MessageRaces messages(history_, events);
    before_.resize(length);
    takeable_.resize(length);
    const auto next = messages.successors();
    for (std::uint32_t i = 0; i < length; ++i)
      for (const std::uint32_t later : next[i]) before_[later].push_back(i);
    for (std::uint32_t i = 0; i < length; ++i) {
      const ActorId actor = history_[i].name.actor;
      const auto [place, is_new] = index_.try_emplace(actor, static_cast<std::uint32_t>(events_.size()));
      if (is_new) events_.emplace_back();
      events_[place->second].push_back(i);
      for (const MessageRaces::Message& message : messages.takeable(i)) takeable_[i].push_back(message.event);
    }
  }

  // The order with the fewest preemptions, as far as they can be told, in which the bug happens; it ends
  // there. Empty if it was not found.
  std::vector<EventId> search(std::size_t nodes_max) {
    using Key = std::pair<std::vector<std::uint32_t>, std::uint32_t>;
    struct Node {
      std::uint32_t cost;
      std::size_t number, parent;
      std::vector<std::uint32_t> done;  // by actor
      std::uint32_t last;
      std::vector<EventId> block;  // what its last actor did to get here
    };
    std::vector<Node> nodes = {{.cost = 0,
                                .number = 0,
                                .parent = 0,
                                .done = std::vector<std::uint32_t>(events_.size(), 0),
                                .last = kNobody,
                                .block = {}}};
    const auto is_worse = [&](std::size_t a, std::size_t b) {
      // Of equal ones the newest: it is further
      return std::pair(nodes[a].cost, b) > std::pair(nodes[b].cost, a);
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(is_worse)> open(is_worse);
    open.push(0);
    std::set<Key> closed;
    while (!open.empty()) {
      const std::size_t at = open.top();
      open.pop();
      if (!closed.emplace(nodes[at].done, nodes[at].last).second) continue;
      if (is_at_bug(nodes[at].done)) {
        std::vector<EventId> order;
        for (std::size_t n = at; n != 0; n = nodes[n].parent)
          order.insert(order.begin(), nodes[n].block.begin(), nodes[n].block.end());
        return order;
      }
      if (nodes.size() > nodes_max) return {};
      for (std::uint32_t actor = 0; actor < events_.size(); ++actor) {
        Node next{.cost = nodes[at].cost,
                  .number = nodes.size(),
                  .parent = at,
                  .done = nodes[at].done,
                  .last = actor,
                  .block = {}};
        if (actor == nodes[at].last || !is_allowed(actor, next.done)) continue;
        if (nodes[at].last != kNobody && could_go_on(nodes[at].last, next.done)) ++next.cost;
        while (is_allowed(actor, next.done) && !is_at_bug(next.done))
          next.block.push_back(events_[actor][next.done[actor]++]);
        open.push((nodes.push_back(std::move(next)), nodes.size() - 1));
      }
    }
    return {};
  }

 private:
  // What is a bug may happen before the end of the execution, which then went on after it.
  bool is_at_bug(const std::vector<std::uint32_t>& done) const {
    if (observation_.bug_event()) return has_happened(*observation_.bug_event(), done);
    std::size_t count = 0;
    for (const std::uint32_t one : done) count += one;
    return count == observation_.length();
  }
  bool has_happened(EventId event, const std::vector<std::uint32_t>& done) const {
    return history_[event].name.ordinal < done[index_.at(history_[event].name.actor)];
  }
  // Whether the trace lets the actor's next event happen now.
  bool is_allowed(std::uint32_t actor, const std::vector<std::uint32_t>& done) const {
    if (done[actor] == events_[actor].size()) return false;
    const EventId next = events_[actor][done[actor]];
    return std::ranges::all_of(before_[next], [&](std::uint32_t event) { return has_happened(event, done); });
  }
  // Whether the actor could do something, in this trace or another.
  bool could_go_on(std::uint32_t actor, const std::vector<std::uint32_t>& done) const {
    if (done[actor] == events_[actor].size()) return false;
    const EventId next = events_[actor][done[actor]];
    const Occurrence& happens = history_[next];
    const auto is_yet_to_pass = [&](EventId event) {
      return history_[event].is_passing && !has_happened(event, done);
    };
    if (happens.is_passing || std::ranges::any_of(before_[next], is_yet_to_pass)) return false;
    if (!happens.receives() || history_.touches(happens)[happens.receive_touch].access != Access::kReceive)
      return true;
    return std::ranges::any_of(takeable_[next], [&](EventId event) { return has_happened(event, done); });
  }

  const Observation& observation_;
  const History& history_;
  std::map<ActorId, std::uint32_t> index_;
  std::vector<std::vector<EventId>> events_;  // by actor
  std::vector<std::vector<std::uint32_t>> before_;
  std::vector<std::vector<EventId>> takeable_;
};

// Up to the bug.
std::size_t preemptions_in(const Observation& observation) {
  const std::vector<RecordedEvent>& events = observation.events();
  const std::size_t length = observation.bug_event() ? *observation.bug_event() + 1 : events.size();
  return static_cast<std::size_t>(std::ranges::count(events.begin(),
                                                     events.begin() + static_cast<std::ptrdiff_t>(length),
                                                     Switch::kPreemption, &RecordedEvent::switched));
}

}  // namespace

std::optional<std::vector<NamedStep>> with_fewer_preemptions(const Observation& failing,
                                                             std::uint64_t events_max,
                                                             std::size_t nodes_max) {
  const Recording& known = failing.recording();
  if (!known.bug || preemptions_in(failing) == 0) return std::nullopt;
  const std::vector<EventId> order = Orders(failing).search(nodes_max);
  if (order.empty()) return std::nullopt;
  std::vector<NamedStep> steps;
  for (const EventId event : order) steps.push_back(failing.step_of(event));
  Observation again(failing.system(), events_max);
  again.run(steps);
  const Recording& recording = again.finish();
  const bool is_better =
      recording.bug && recording.bug->is_same(*known.bug) && preemptions_in(again) < preemptions_in(failing);
  if (!is_better) return std::nullopt;
  return steps;
}

}  // namespace ravel
