// What is asked of a search, as plain values that mean the same in every process.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/named_step.h"
#include "engine/search_result.h"

namespace ravel {

// A number that only one strategy knows, by the name of its option: "--stride".
struct OwnParameter {
  std::string name;
  std::uint64_t value = 0;
};

// What users can ask of strategies; each takes what concerns it.
struct StrategyParameters {
  std::uint64_t seed = 1;
  // How many a random strategy runs; none: until a budget stops it
  std::optional<std::uint64_t> executions = {};
  std::uint64_t first_execution = 0;  // of one that draws from their numbers: where it begins
  // The largest one, of preemptions or delays; none: until nothing is left
  std::optional<std::uint32_t> bound = {};
  std::optional<std::uint32_t> depth = {};       // of bugs that are looked for
  std::optional<std::uint32_t> variables = {};   // how many objects have to do with a bug; none: all
  std::optional<std::uint32_t> iterations = {};  // how many such objects were made before by the same calls
  std::optional<std::uint32_t> threads = {};     // among how many actors a bug needs an order
  std::optional<std::uint32_t> early = {};       // how many timeouts may fire early in an execution
  std::optional<std::uint32_t> faults = {};      // how many faults there may be in one
  std::vector<OwnParameter> own = {};            // further ones, of single strategies
  std::string explorer = {};                     // the delaying explorer, by name; empty: the usual one

  std::optional<std::uint64_t> own_value(std::string_view name) const {
    const auto place = std::ranges::find(own, name, &OwnParameter::name);
    return place == own.end() ? std::nullopt : std::optional(place->value);
  }
};

// In which order a search by states visits them.
enum class StateOrder : std::uint8_t {
  kDepthFirst,
  kBreadthFirst,
  kByDelays,  // by how many delays of an explorer lead there: stratum by stratum, depth first within one
};

enum class AfterBug : std::uint8_t { kStop, kKeepGoing };

// What an execution is that comes to its bound on events, Limits::events_max.
enum class LongExecutions : std::uint8_t {
  kCutOff,    // end not seen, so the search is incomplete; an execution that goes round for ever is a bug
  kIgnored,   // cut off, and the search may be complete
  kBug,       // the bug "event_bound"
  kLeftOpen,  // as kCutOff, but programs of this kind may go round for ever, and that is no bug
};

// A budget never changes which execution comes next, only whether there is one. It is for one run: what was
// done before an interrupted search was resumed does not count.
struct Limits {
  std::optional<double> seconds;
  std::optional<std::uint64_t> executions;
  std::optional<std::uint64_t> memory;  // bytes, of the whole process
  std::uint64_t events_max = 10'000;    // of one execution
  LongExecutions long_executions = LongExecutions::kCutOff;
  // In executions that were cut off: then the search gets nowhere, and ends
  std::uint64_t unfinished_events_max = 20'000'000;
  AfterBug after_bug = AfterBug::kStop;
};

struct SearchRequest {
  std::string strategy = {};
  std::string in_turns_with = {};  // another strategy, if the search is of both in turns; empty: none
  StrategyParameters parameters = {};
  Limits limits = {};
  std::vector<NamedStep> prefix = {};       // with which every execution begins
  std::optional<SearchResult> so_far = {};  // of a search that goes on from there
};

}  // namespace ravel
