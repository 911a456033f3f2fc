#include "races/orphans.h"

#include <algorithm>
#include <map>

#include "engine/recording.h"

namespace ravel {

std::vector<OrphanDescription> find_orphans(System& system, std::span<const Transition> schedule,
                                            std::uint64_t events_max) {
  Recorder recorder(system, events_max);
  std::vector<OrphanDescription> messages;
  std::vector<bool> is_received, is_priority;
  std::map<std::uint64_t, std::vector<std::size_t>> mailboxes;
  std::map<ActorName, std::uint32_t> counts;
  for (const Transition& transition : schedule) {
    if (!recorder.running()) break;
    const Event event = recorder.take(transition);
    const RecordedEvent& recorded = recorder.events().back();
    std::size_t sent = 0;
    for (const Touch& touch : event.footprint) {
      std::vector<std::size_t>& mailbox = mailboxes[touch.object];
      switch (touch.access) {
        case Access::kSend: {
          const std::optional<ActorId> receiver = system.owner_of(touch.object);
          const std::vector<std::string>& values = recorded.description.sent;
          const auto is_ordinary = [&](std::size_t message) { return !is_priority[message]; };
          mailbox.insert(touch.is_priority ? std::ranges::find_if(mailbox, is_ordinary) : mailbox.end(),
                         messages.size());
          is_received.push_back(false);
          is_priority.push_back(touch.is_priority);
          messages.push_back({.message = {.sender = recorded.actor, .ordinal = ++counts[recorded.actor]},
                              .value = sent < values.size() ? values[sent] : "",
                              .receiver = receiver ? system.actor_name(*receiver) : ActorName(),
                              .sent = recorded.description});
          ++sent;
          break;
        }
        case Access::kReceive:
        case Access::kReceiveOrExpire:
        case Access::kRemove:
          if (touch.message >= mailbox.size()) break;  // sent before the execution began
          is_received[mailbox[touch.message]] = true;
          mailbox.erase(mailbox.begin() + touch.message);
          break;
        default: break;
      }
    }
  }
  std::vector<OrphanDescription> orphans;
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (!is_received[i]) orphans.push_back(std::move(messages[i]));
  return orphans;
}

}  // namespace ravel
