// Numbers of what a program declares: places in the tables of program.h.

#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel::p {

enum class EnumId : std::uint32_t {};
enum class EventId : std::uint32_t {};
enum class InterfaceId : std::uint32_t {};
enum class MachineId : std::uint32_t {};  // of a declaration: machine, spec or scenario
enum class StateId : std::uint32_t {};    // counted over all machines
enum class FunctionId : std::uint32_t {};
enum class ParameterId : std::uint32_t {};

template <typename Id>
constexpr std::uint32_t index(Id id) {
  return static_cast<std::uint32_t>(id);
}

// The number of the entry at that place of a table.
template <typename Id>
constexpr Id id_at(std::size_t place) {
  return static_cast<Id>(place);
}

// What every program has: what a handler sees if there is nothing to handle, and what ends a machine.
inline constexpr EventId kNullEvent{0};
inline constexpr EventId kHaltEvent{1};

}  // namespace ravel::p
