#include "erlang/system/resting_machines.h"

#include <algorithm>

namespace ravel::erlang {

std::unique_ptr<Machine> RestingMachines::take(const MachineOptions& options) {
  const auto fitting = std::ranges::find_if(
      machines_, [&](const std::unique_ptr<Machine>& machine) { return machine->can_start_with(options); });
  if (fitting == machines_.end()) return nullptr;
  std::unique_ptr<Machine> machine = std::move(*fitting);
  machines_.erase(fitting);
  machine->return_to_start(options);
  return machine;
}

void RestingMachines::put(std::unique_ptr<Machine> machine) { machines_.push_back(std::move(machine)); }

}  // namespace ravel::erlang
