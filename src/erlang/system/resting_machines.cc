#include "erlang/system/resting_machines.h"

#include <algorithm>

namespace ravel::erlang {

namespace {

// Tests whose options differ, as by the modules that they replace at run time, have machines of their own,
// each with some ten megabytes of the system's state and its share of address space.
constexpr std::size_t kMost = 2;

}  // namespace

std::unique_ptr<Machine> RestingMachines::take(const MachineOptions& options) {
  const auto fitting = std::ranges::find_if(
      machines_, [&](const std::unique_ptr<Machine>& machine) { return machine->can_start_with(options); });
  if (fitting == machines_.end()) return nullptr;
  std::unique_ptr<Machine> machine = std::move(*fitting);
  machines_.erase(fitting);
  machine->return_to_start(options);
  return machine;
}

void RestingMachines::put(std::unique_ptr<Machine> machine) {
  if (machines_.size() == kMost) machines_.erase(machines_.begin());  // which has waited longest
  machines_.push_back(std::move(machine));
}

}  // namespace ravel::erlang
