// Between a test and an explorer beside it: what the program tells the explorer, how an explorer that is a
// spec of the program (p_explorer.h) is run, and values for actors.
//
// The idea: the explorer's values lie in the store of the execution, and the interpreter of the execution
// runs its code, but nothing of the execution changes by that.

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/actor.h"
#include "explorers/explorer_messages.h"
#include "p/machine/world.h"

namespace ravel::p {

class ExplorerLink {
 public:
  // An explorer that knows nothing of P is told of the events whose names begin with this word, as text,
  // "eExplorerReady" or "eExplorerFirst Worker(P.2)".
  static constexpr std::string_view kInText = "eExplorer";

  // All must outlive this object. `timers`: time is an actor if they fire when all wait.
  ExplorerLink(const Program& program, ValueStore& store, World& world, TimersFire timers)
      : program_(program), store_(store), world_(world), timers_(timers) {}

  // The explorer is a spec, with these values of its own.
  void begin(MachineId machine, ValueRoots& roots);
  void begin_in_text();
  void end();

  // The spec before it has seen anything; and one that sees an event. False if it fails, which is a
  // failure() from then on.
  LiveMachine new_spec(MachineId machine) { return world_.monitor_beside(machine, failure_); }
  bool show(LiveMachine& live, EventId event, Value payload);
  Value image_of_spec(const LiveMachine& live);
  const std::optional<Failure>& failure() const { return failure_; }

  // ExplorerMessages::take_explorer_messages().
  std::vector<ExplorerMessage> take_messages();
  // What was taken last.
  const Message& told(std::size_t number) const { return told_.at(number).message; }

  std::string name_of(MachineId machine) const { return std::string(program_.machine(machine).name); }
  bool is_time(ActorId actor) const {
    return timers_ == TimersFire::kWhenAllWait && static_cast<std::uint32_t>(actor) == MachineNames::kTime;
  }
  // Null of what is no machine.
  Value value_of(ActorId actor) const;
  std::optional<ActorId> actor_of(Value machine) const;
  // REQUIRES: the event carries a named tuple of so many parts.
  Value payload_of(EventId event, std::span<const Value> parts);

  // All values that it needs.
  void for_each(const std::function<void(std::span<const Value>)>& visit);

 private:
  const Program& program_;
  ValueStore& store_;
  World& world_;
  const TimersFire timers_;
  ValueRoots* roots_ = nullptr;  // the explorer's values
  std::optional<Failure> failure_;
  std::vector<Told> told_;
};

}  // namespace ravel::p
