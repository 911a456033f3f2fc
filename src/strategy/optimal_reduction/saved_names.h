// Events and steps by logical names, as positions and notes of a reduction have them.
//
// An actor's name is written where it comes for the first time, and is a number from then on.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/position.h"
#include "engine/system.h"
#include "strategy/history/occurrence.h"
#include "strategy/optimal_reduction/step_pool.h"

namespace ravel::reduction {

// Names in the order of their numbers and actors, which `out` and `in` have each in their own form.
template <class Out>
void put_name(Out& out, const EventName& event) {
  out.put_actor(event.actor);
  out.put_number(event.ordinal);
}

template <class Out>
void put_name(Out& out, const StepName& name) {
  put_name(out, name.event);
  out.put_number(name.alternative);
  out.put_number(static_cast<std::uint64_t>(name.choice));
  if (name.choice != Choice::kMessage) return;
  put_name(out, name.sender);
  out.put_number(name.touch);
}

template <class In>
EventName get_event_name(In& in) {
  const ActorId actor = in.get_actor();
  return {.actor = actor, .ordinal = in.get_number()};
}

template <class In>
StepName get_step_name(In& in) {
  StepName name{.event = get_event_name(in)};
  name.alternative = in.get_number();
  const std::uint32_t choice = in.get_number();
  if (choice > static_cast<std::uint32_t>(Choice::kAny)) in.note_damage();
  name.choice = static_cast<Choice>(choice);
  if (name.choice != Choice::kMessage) return name;
  name.sender = get_event_name(in);
  name.touch = in.get_number();
  return name;
}

class NameWriter {
 public:
  // Both must outlive the writer. `system` names the actors.
  NameWriter(const SystemView& system, PositionWriter& writer) : system_(system), writer_(writer) {}

  void put_number(std::uint64_t number) { writer_.put(number); }
  void put_actor(ActorId actor) {
    const auto [known, is_new] = numbers_.try_emplace(static_cast<std::uint32_t>(actor), numbers_.size());
    writer_.put(known->second);
    if (is_new)
      writer_.put_all(system_.actor_name(actor).to_string(),
                      [&](char c) { writer_.put(static_cast<std::uint8_t>(c)); });
  }
  void put(const EventName& event) { put_name(*this, event); }
  void put(const StepName& name) { put_name(*this, name); }

 private:
  const SystemView& system_;
  PositionWriter& writer_;
  std::unordered_map<std::uint32_t, std::uint64_t> numbers_;  // by actor
};

// An actor is known to the System when it has been met, which may be later than its name is read: until it is
// resolved, the number of an actor is that of its name here.
class NameReader {
 public:
  // The reader must outlive this object.
  explicit NameReader(PositionReader& reader) : reader_(reader) {}

  ActorId get_actor() {
    const std::uint64_t number = reader_.get();
    if (number > names_.size()) is_damaged_ = true;
    if (number != names_.size() || is_damaged_) return ActorId{static_cast<std::uint32_t>(number)};
    std::string& text = names_.emplace_back();
    reader_.get_all([&] { text.push_back(static_cast<char>(reader_.get())); });
    return ActorId{static_cast<std::uint32_t>(number)};
  }
  std::uint32_t get_number() { return reader_.get32(); }
  EventName get_event() { return get_event_name(*this); }
  StepName get_step() { return get_step_name(*this); }
  void note_damage() { is_damaged_ = true; }
  bool is_damaged() const { return is_damaged_ || reader_.is_damaged(); }

  // The System's number of an actor; nothing: it has never met it.
  std::optional<ActorId> resolved(ActorId actor, const SystemView& system) const {
    const auto name = ActorName::parse(names_.at(static_cast<std::uint32_t>(actor)));
    return name.ok() ? system.find_actor(*name) : std::nullopt;
  }
  bool resolve(EventName& event, const SystemView& system) const {
    const std::optional<ActorId> actor = resolved(event.actor, system);
    if (actor) event.actor = *actor;
    return actor.has_value();
  }
  bool resolve(StepName& name, const SystemView& system) const {
    return resolve(name.event, system) && (name.choice != Choice::kMessage || resolve(name.sender, system));
  }

 private:
  PositionReader& reader_;
  std::vector<std::string> names_;  // of actors
  bool is_damaged_ = false;
};

}  // namespace ravel::reduction
