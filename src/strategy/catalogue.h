// The table of strategies: what a user can name, with which options, and how each is made.
//
// A new strategy is one row here, one class and one test.

#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/search_request.h"
#include "engine/strategy.h"
#include "explorers/explorer_needs.h"
#include "strategy/sampling.h"
#include "strategy/variables.h"

namespace ravel {

// What only the process that searches can know; each strategy takes what concerns it.
struct StrategyContext {
  bool waits_unseen = false;  // actors wait for others as no footprint tells: by fairness, for deadlines
  VariableOf variable_of = {};
  WholeOf whole_of = {};
  std::vector<Transition> prefix = {};  // whose events every execution contains
  FollowUp follow_up = {};              // of one that samples, after the prefix
  ExplorerNeeds explorer = {};          // of one that goes by a delaying explorer
};

// What a strategy is like, needs and offers.
struct StrategyTraits {
  bool samples = false;  // draws executions from a seed, and is done only after as many as it was asked for
  bool fires_early = false;  // StrategyParameters::early and StrategyParameters::faults are for it
  // Runs all schedules within a bound: the fewer steps there are, the fewer
  bool counts_schedules = false;
  // Goes by footprints, and by which messages receives could have taken
  bool compares_executions = false;
  bool finds_fewest_preemptions = false;  // the first schedule with a bug has as few as any
  bool is_about_messages = false;         // has nothing to do where actors send none
  bool needs_pending = false;             // System::pending() must tell all operations before they happen
  bool needs_snapshots = false;           // comes back to states that no execution leads to again
  bool needs_fingerprints = false;        // goes by states: System::fingerprint() must tell them apart
  // Visits states, and runs no executions: the row has no `make` (states/state_search.h)
  std::optional<StateOrder> by_states = {};
  // Draws each execution from its number alone, so that several processes can each run some of them
  // (StrategyParameters::first_execution)
  bool has_shards = false;
  bool draws_arrays = false;  // takes an array for one variable (StrategyContext::whole_of)
};

// An option that only some strategies have: a number or a text.
struct StrategyOption {
  std::string_view name;  // "--depth"
  std::string_view help;  // without a full stop, with the default; empty: a front end has the row
  std::int64_t least = 0, most = std::numeric_limits<std::uint32_t>::max();
  // Puts the number where the strategy finds it. Null: among StrategyParameters::own.
  void (*put)(StrategyParameters&, std::uint64_t) = nullptr;
  bool is_flag = false;  // without a number: set to 1
  // Of a text: puts it where the strategy finds it, or says what is wrong with it. Null: it is a number.
  Status (*put_text)(StrategyParameters&, const std::string&) = nullptr;
  std::span<const std::string_view> words = {};  // what the text may be, among others

  // The last value of an option that is given several times counts.
  void set(StrategyParameters& parameters, std::uint64_t value) const;
};

struct StrategyEntry {
  std::string_view name;
  std::string_view help;  // one line
  StrategyTraits traits;
  std::array<const StrategyOption*, 6> options;                                          // then null
  std::unique_ptr<Strategy> (*make)(const StrategyParameters&, const StrategyContext&);  // or null

  bool has(std::string_view option) const;
};

std::span<const StrategyEntry> strategies();
// Adds a row, whose texts and options must live as long as the process. What strategies() and find_strategy()
// have returned is valid no more. REQUIRES: no other thread looks at the table.
void add_strategy(const StrategyEntry& entry);

// The options of all strategies, each once.
std::vector<const StrategyOption*> strategy_options();

// An error that names the strategy, and what it needs of a System that has only these parts.
Status check_parts(const StrategyEntry& entry, const SystemParts& parts);

// The delaying explorer that was asked for, or the usual one. REQUIRES: `needs` makes it, or everybody has
// it.
std::unique_ptr<DelayingExplorer> make_explorer(const StrategyParameters& parameters,
                                                const ExplorerNeeds& needs);

// Nothing if there is none of this name.
const StrategyEntry* find_strategy(std::string_view name);

// The error lists the names that there are.
Result<const StrategyEntry*> strategy_named(std::string_view name);
// REQUIRES: the strategy runs executions.
std::unique_ptr<Strategy> make_strategy(const StrategyEntry& entry, const StrategyParameters& parameters,
                                        const StrategyContext& context = {});

// The error lists the names that there are.
Result<std::unique_ptr<Strategy>> make_strategy(std::string_view name, const StrategyParameters& parameters,
                                                const StrategyContext& context = {});

}  // namespace ravel
