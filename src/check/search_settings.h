// What a command line asks for, checked and in the words of those who do it: how one test is searched.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "check/check_options.h"
#include "engine/exploration.h"
#include "engine/search_request.h"
#include "strategy/catalogue.h"

namespace ravel {

struct SearchSettings {
  SearchRequest request = {};
  StrategyContext context = {};
  KeepingTimes keeping = {};
  double seconds_alone = 0.1;  // before a search is given to several processes: most have ended by then

  // Of the strategy.
  const StrategyTraits& traits() const { return find_strategy(request.strategy)->traits; }
  // Whether the strategy bounds variables.
  bool bounds_variables() const { return traits().needs_pending || request.parameters.variables; }
};

// What a front end says of strategies for its programs.
struct StrategyRules {
  std::string usual;               // the one that is taken if none is named
  std::string in_turns_with = {};  // then, and if no option is for one strategy only
  bool waits_unseen = false;       // StrategyContext::waits_unseen
  // The refusal of what needs operations to be known before they happen; empty: they are
  std::string no_pending = {};
  std::string no_messages = {};    // the refusal of what is about messages; empty: there are some
  bool has_own_explorers = false;  // whether --explorer may name one that is known to the front end only
  // Whether executions that go round for ever are what programs of this kind do, and no bug
  bool may_go_round = false;
  // Of one execution, unless the user says how many: what is longer has no end, mostly
  std::uint64_t events_most = 1'000'000;
  std::uint64_t memory_share = 8;  // of a limit on address space, one part in so many is to be filled
};

// An error if options do not go together.
Result<SearchSettings> search_settings(const CheckOptions& options, const StrategyRules& rules);

struct SearchTask;
// Lets the search have its part of the memory, and of the sample, as the task says. An error if the strategy
// has no such parts.
Status fit_to_task(const SearchTask& task, SearchSettings& settings);

}  // namespace ravel
