#include "erlang/system/overtaking.h"

#include <algorithm>
#include <utility>

namespace ravel::erlang {

void Overtaking::join(Clock& clock, const Clock& other) {
  for (const auto& [process, events] : other) clock[process] = std::max(clock[process], events);
}

void Overtaking::put(std::uint64_t object, const Sent& sent) {
  std::deque<Sent>& queue = queues_[object];
  queue.insert(sent.is_priority ? std::ranges::find(queue, false, &Sent::is_priority) : queue.end(), sent);
}

void Overtaking::take(std::uint64_t object, std::uint32_t message, Clock& clock) {
  std::deque<Sent>& queue = queues_[object];
  if (message >= queue.size()) return;
  join(clock, queue[message].clock);
  queue.erase(queue.begin() + message);
}

void Overtaking::note(std::uint64_t process, Footprint footprint) {
  Clock& clock = of_process_[process];
  const std::uint32_t event = ++clock[process];
  for (const Touch& touch : footprint) {
    switch (touch.access) {
      case Access::kSend:
        put(touch.object,
            {.sender = process, .event = event, .clock = clock, .is_priority = touch.is_priority});
        break;
      case Access::kReceive:
      case Access::kReceiveOrExpire:
      case Access::kRemove: take(touch.object, touch.message, clock); break;
      case Access::kExpire:
      case Access::kSendInVain:
      case Access::kPass: break;
      case Access::kRead: join(clock, of_object_[touch.object]); break;
      default: {
        Clock& object = of_object_[touch.object];
        join(clock, object);
        object = clock;
      }
    }
  }
}

bool Overtaking::note_arrival(Footprint footprint, std::span<const std::uint64_t> rivals) {
  const auto from = std::ranges::find(footprint, Access::kReceive, &Touch::access);
  if (from == footprint.end() || queues_[from->object].empty()) return false;
  std::deque<Sent>& queue = queues_[from->object];
  Sent arrived = std::move(queue.front());
  queue.pop_front();
  for (const Touch& touch : footprint) {
    if (touch.access != Access::kSend) continue;
    arrived.is_priority = touch.is_priority;
    put(touch.object, arrived);
  }
  // A channel keeps its order, so its first signal is the earliest.
  return std::ranges::any_of(rivals, [&](std::uint64_t rival) {
    const std::deque<Sent>& others = queues_[rival];
    if (others.empty()) return false;
    const auto known = arrived.clock.find(others.front().sender);
    return known != arrived.clock.end() && known->second >= others.front().event;
  });
}

}  // namespace ravel::erlang
