// An execution: what may happen next, and one step of it.
//
// The idea: a machine rests before each operation (live_machine.h). A step executes the operation and then
// the code up to the next one: handlers, transitions, entries (interpreter.h).
//
// Points where others may go on: before the first state is entered, before `new`, before `send`, before an
// event is taken (of the queue, or in `receive`), before a choice. An event that the state ignores is taken
// and dropped in a step of its own.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "p/machine/interpreter.h"
#include "p/machine/machines.h"
#include "p/machine/moves.h"
#include "p/machine/opaque_names.h"
#include "p/machine/world_texts.h"

namespace ravel::p {

class World final : private ValueRoots {
 public:
  // `symmetric`: machines of these types are interchangeable, which is watched (opaque_names.h).
  World(const Code& code, ValueStore& store, Steps steps, TimersFire timers = TimersFire::kAsModelled,
        IdSet<MachineId> symmetric = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // For somebody beside the execution: see Interpreter.
  LiveMachine monitor_beside(MachineId monitor, std::optional<Failure>& failed) {
    return interpreter_.monitor_beside(monitor, failed);
  }
  std::optional<Failure> show(LiveMachine& monitor, EventId event, Value payload) {
    return interpreter_.show(monitor, event, payload);
  }
  void note_told(std::optional<EventSet> events) { interpreter_.note_told(std::move(events)); }
  std::vector<Told>& told() { return interpreter_.told(); }
  void listen(WorldListener* listener) { interpreter_.listen(listener); }

  void reset();
  // How many alternatives the next step of this machine has; 0: it waits, or has halted.
  std::uint32_t alternatives(std::uint32_t who) const { return machines_.alternatives(who); }
  // The same of a machine with this image; and the machine or monitor itself, without LiveMachine::number.
  std::uint32_t alternatives_of(Value image) const { return moves_.alternatives(at_rest(image)); }
  LiveMachine at_rest(Value image) const;
  // REQUIRES: alternative < alternatives(who).
  void step(std::uint32_t who, std::uint32_t alternative);
  // Whether it is a timer that was started, not cancelled, and may fire as far as it is asked.
  bool is_armed(std::uint32_t who) const {
    return machines_.exists(who) && moves_.is_armed(machines_.live(who));
  }
  // It chooses to fire, sends what it sends then, and goes to its next state: in one step.
  // REQUIRES: is_armed(who).
  void fire(std::uint32_t who);

  // The machines and monitors (machines.h).
  std::size_t size() const { return machines_.size(); }
  const MachineNames& names() const { return machines_.names(); }
  MachineNames::Index name_of(MachineNames::Index parent, std::uint32_t ordinal) {
    return machines_.name_of(parent, ordinal);
  }
  bool exists(std::uint32_t who) const { return machines_.exists(who); }
  const LiveMachine& live(std::uint32_t who) const { return machines_.live(who); }
  const std::vector<LiveMachine>& monitors() const { return machines_.monitors(); }
  const IdSet<MachineId>& symmetric() const { return opaque_.symmetric(); }
  const WorldTexts& texts() const { return texts_; }

  std::span<const Effect> effects() const { return effects_; }
  // Of the last step.
  std::span<const Operation> operations() const { return operations_; }
  // The operation that comes next, as far as it is known: kind and objects.
  Operation next(std::uint32_t who);
  bool would_take(const Takes& takes, Value event) const { return moves_.would_take(takes, event); }
  const std::optional<Failure>& failure() const { return interpreter_.failure(); }
  // What is not supported, and was met.
  const std::optional<Failure>& refusal() const { return interpreter_.refusal(); }
  // Whether the last step did. What such a function does is not known.
  bool has_called_foreign() const { return interpreter_.has_called_foreign(); }
  // Whether some name was that of machines of several kinds, in different executions.
  bool names_mean_several() const { return machines_.names_mean_several(); }
  std::string& output() { return interpreter_.output(); }
  const std::string& output() const { return interpreter_.output(); }

  // The state: Machines::save().
  void save(std::vector<Value>& words) { machines_.save(words); }
  void restore(std::span<const Value> words);

  // Frees values, if that is worth its cost. `others`: what is still used, except by this execution.
  void collect_if_due(ValueRoots& others);

 private:
  void for_each(const std::function<void(std::span<const Value>)>& visit) override;

  Operation& now() { return operations_.back(); }
  void begin_step();
  void perform(std::uint32_t who, std::uint32_t alternative);
  void take(std::uint32_t who);
  void take_in_receive(std::uint32_t who);
  void create(std::uint32_t who);
  void send(std::uint32_t who);
  void choose(std::uint32_t who, std::uint32_t alternative);

  const Code& code_;
  ValueStore& store_;
  const TimersFire fire_;
  const Moves moves_;
  Machines machines_;
  const WorldTexts texts_;
  const OpaqueNames opaque_;
  std::vector<Effect> effects_;
  std::vector<Operation> operations_;
  Interpreter interpreter_;
};

}  // namespace ravel::p
