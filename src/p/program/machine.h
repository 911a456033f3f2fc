// Machines of a checked program, and their states.

#pragma once

#include <optional>
#include <vector>

#include "p/program/function.h"
#include "p/source/machine_kind.h"

namespace ravel::p {

enum class ActionKind : std::uint8_t { kDefer, kIgnore, kDo, kGoto };

// What a state does with an event.
struct Action {
  EventId event{};
  ActionKind kind = ActionKind::kIgnore;
  Place place = {};
  std::optional<FunctionId> function = {};  // of kDo; of kGoto between exit and entry, if there is one
  StateId target{};                         // of kGoto
  bool unwraps_payload = false;  // for the function: it is a tuple of one part, which the function takes
  bool target_unwraps_payload = false;  // the same, for the entry of the target
};

struct State {
  std::string_view name = {};
  Place place = {};
  MachineId machine{};
  Temperature temperature = Temperature::kWarm;
  std::optional<FunctionId> entry = {};  // at most one parameter: the payload of what led here
  std::optional<FunctionId> exit = {};
  std::vector<Action> actions = {};  // by event

  const Action* action(EventId event) const;
};

struct Machine {
  std::string_view name = {};
  Place place = {};
  MachineKind kind = MachineKind::kMachine;
  std::optional<InterfaceId> interface = {};  // of the same name; specs have none
  std::vector<Variable> fields = {};
  std::vector<StateId> states = {};
  StateId start{};
  const Type* payload = nullptr;  // of the entry of its first state
  EventSet receives = {};         // at run time: others must not be sent to it
  EventSet sends = {};            // at run time: others must not be sent by it
  EventSet observes = {};         // of a spec
  InterfaceSet creates = {};

  bool is_monitor() const { return kind != MachineKind::kMachine; }
};

}  // namespace ravel::p
