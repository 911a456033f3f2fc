// What a command line asks for, checked and in the words of those who do it: how one test is searched.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "engine/explorer.h"
#include "erlang/system/erlang_system.h"
#include "strategy/catalogue.h"

namespace ravel {

enum class FrontEnd : std::uint8_t { kErlang, kThreads };

struct SearchSettings {
  std::string strategy;  // its name
  std::string in_turns_with;  // another one, if the search is of both in turns
  StrategyOptions strategy_options;
  Limits limits;         // but for the interrupt
  bool arrays_are_whole = false;  // as variables of programs of C and C++
  erlang::ErlangOptions erlang;  // if that is the front end

  // Whether the strategy bounds variables.
  bool asks_for_variables() const { return strategy == "vt" || strategy_options.variables; }
  // Whether the strategy runs all schedules within a bound, whose number is the smaller the fewer steps there are.
  bool counts_schedules() const { return strategy == "dfs" || strategy == "preemption" || strategy == "delay"; }
  // Whether the strategy goes by what events have touched and which messages receives could have taken.
  bool compares_executions() const { return strategy == "dpor" || strategy == "variants"; }
};

// An error if options do not go together.
Result<SearchSettings> search_settings(const CheckOptions& options, FrontEnd front_end);

// What follows from the strategy for how the program is run.
void set_for_strategy(SearchSettings& settings, const std::vector<std::string>& non_racing);

}  // namespace ravel
