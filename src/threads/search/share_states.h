// A search by states of a program of threads, by copies of the program's process if it lasts
// (sharing/shared_search.h).
//
// What else the executions of a copy have shown is told to this process. If that makes the search pointless,
// as a new race does, it ends, as one process ends it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/exploration.h"
#include "engine/search_request.h"
#include "states/shared_states.h"
#include "strategy/catalogue.h"
#include "threads/protocol/search_parts.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

// References must outlive the search.
struct SharedStatesSearch {
  SearchedProgram& program;  // has copies
  StatesOfProgram& states;   // numbers them in `shared`
  SharedStates& shared;
  const SearchJobs& jobs;
  std::string strategy = {};
  StateOrder order = StateOrder::kBreadthFirst;
  const StrategyParameters& parameters;  // of the delaying explorer, if the order is by delays
  Limits limits = {};
  Surroundings surroundings = {};  // as one process has it
  // Whether executions have shown something with which the search has to begin anew.
  std::function<bool()> is_pointless = {};
};

// What is found. `so_far`: as SharedSearch::run() takes it. Nothing: the position makes no sense for this
// program. `problems`: what went wrong on the way, sentences without a full stop.
std::optional<Exploration> share_states(const SharedStatesSearch& setting, Exploration so_far,
                                        std::vector<std::string>& problems);

}  // namespace ravel::threads
