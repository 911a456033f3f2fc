// A naive reference for searches by delaying explorers: all executions of a program and an explorer, each
// prefix from the beginning, with how many delays each has.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/system.h"
#include "explorers/explorer_driver.h"

namespace ravel::toy {

// `tell` hears of each execution while the System is at its end. `places`: of the transitions so far, in the
// explorer's order.
inline void all_delayed_executions(
    System& system, ExplorerDriver& driver,
    const std::function<void(const std::vector<Transition>&, std::uint32_t delays)>& tell,
    std::vector<std::uint32_t> places = {}) {
  ExplorerState state;
  std::vector<Transition> schedule;
  std::uint32_t delays = 0;
  system.reset();
  driver.begin();
  for (const std::uint32_t place : places) {
    driver.arrive(state, system.enabled(), system);
    delays += driver.cost_of(state, system.enabled(), place);
    schedule.push_back(system.enabled()[driver.choose(state, system.enabled(), place, system)]);
    system.step(schedule.back());
  }
  if (system.outcome() != Outcome::kRunning) return tell(schedule, delays);
  const auto count = static_cast<std::uint32_t>(system.enabled().size());
  places.push_back(0);
  for (; places.back() < count; ++places.back()) all_delayed_executions(system, driver, tell, places);
}

}  // namespace ravel::toy
