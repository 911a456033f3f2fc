// Words for what is in an execution: machines, states, places, and what the numbers in values stand for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "p/machine/machines.h"
#include "p/value/print.h"

namespace ravel::p {

class WorldTexts final : public ValueNames {
 public:
  // All must outlive this object.
  WorldTexts(const Code& code, ValueStore& store, const Machines& machines)
      : code_(code), program_(*code.program), store_(store), machines_(machines) {}

  // Of a machine, as messages call it: Client(P.2)
  std::string text_of(MachineNames::Index who) const;
  std::string_view state_of(const LiveMachine& live) const { return program_.state(live.state).name; }
  // Where it stands: the operation, or the state.
  Place place_of(const LiveMachine& live) const {
    return live.is_running() ? code_.places[live.pc] : program_.state(live.state).place;
  }

  std::string event(std::uint32_t number) const override;
  std::string machine(std::uint32_t number) const override;
  std::span<const std::string_view> fields(std::uint32_t shape) const override;
  std::string_view type_name(std::uint32_t number) const override;
  std::optional<std::string> shown(Value foreign) const override;

 private:
  const Code& code_;
  const Program& program_;
  ValueStore& store_;
  const Machines& machines_;
};

}  // namespace ravel::p
