#include "p/system/explorer_link.h"

#include <utility>

#include "p/machine/images.h"

namespace ravel::p {

void ExplorerLink::begin(MachineId machine, ValueRoots& roots) {
  roots_ = &roots;
  world_.note_told(program_.machine(machine).observes);
}

void ExplorerLink::begin_in_text() {
  EventSet events;
  for (std::size_t number = 0; number < program_.events.size(); ++number)
    if (program_.events[number].name.starts_with(kInText)) events.add(id_at<EventId>(number));
  world_.note_told(std::move(events));
}

void ExplorerLink::end() {
  roots_ = nullptr;
  world_.note_told({});
}

Value ExplorerLink::image_of_spec(const LiveMachine& live) { return image_of(live, store_); }

bool ExplorerLink::show(LiveMachine& live, EventId event, Value payload) {
  if (failure_) return false;
  failure_ = world_.show(live, event, payload);
  return !failure_;
}

std::vector<ExplorerMessage> ExplorerLink::take_messages() {
  told_ = std::move(world_.told());
  world_.told().clear();
  std::vector<ExplorerMessage> messages;
  for (std::size_t i = 0; i < told_.size(); ++i) {
    const auto& [who, message] = told_[i];
    ExplorerMessage& one = messages.emplace_back();
    one = {.from = ActorId{who}, .text = world_.texts().event(message.event.event_number()), .number = i};
    if (roots_ == nullptr && !message.payload.is_null())
      one.text += " " + to_text(message.payload, world_.texts());
  }
  return messages;
}

Value ExplorerLink::value_of(ActorId actor) const {
  if (is_time(actor)) return Value::null();
  return Value::machine(world_.names().number(static_cast<std::uint32_t>(actor)));
}

std::optional<ActorId> ExplorerLink::actor_of(Value machine) const {
  if (machine.is_machine()) return ActorId{world_.names().index_of(machine.machine_number())};
  if (timers_ == TimersFire::kWhenAllWait) return ActorId{MachineNames::kTime};
  return std::nullopt;
}

Value ExplorerLink::payload_of(EventId event, std::span<const Value> parts) {
  return store_.named_tuple(program_.event(event).payload->shape, parts);
}

void ExplorerLink::for_each(const std::function<void(std::span<const Value>)>& visit) {
  for (const Told& told : told_) visit({&told.message.payload, 1});
  if (roots_ != nullptr) roots_->for_each(visit);
}

}  // namespace ravel::p
