// Reduction of a program in parts, which come back in any order, against one process: the same traces, each
// once, none in vain, and the same bugs. For a System of any kind.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "engine/explorer.h"
#include "engine/part_source.h"
#include "engine/position.h"
#include "strategy/optimal_reduction/optimal_reduction.h"
#include "tests/toy/trace_history.h"

namespace ravel::in_parts {

// Notes the trace of each execution that is completed.
class TraceNoter final : public TraceHistory<System> {
 public:
  using TraceHistory::TraceHistory;

  Novelty end_execution(Outcome outcome) override {
    const Novelty novelty = StrategyWrapper::end_execution(outcome);
    if (outcome != Outcome::kRunning && novelty == Novelty::kNew) traces.insert(history().trace_hash());
    return novelty;
  }

  std::multiset<std::uint64_t> traces;
};

struct Found {
  std::multiset<std::uint64_t> traces;
  std::set<std::string> bugs;
  std::uint64_t in_vain = 0, parts = 0;
};

// Runs what is left of a part, or so many executions of it. Returns its new position, if something is left.
inline std::optional<std::string> run(System& system, OptimalReduction& reduction, std::uint64_t executions,
                                      Found& found) {
  TraceNoter noter(reduction, system);
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  limits.executions = executions;
  SteadyClock clock;
  const Exploration exploration = Explorer(system, noter, limits, clock).run();
  found.traces.merge(noter.traces);
  for (const FoundBug& bug : exploration.bugs) found.bugs.insert(bug.bug.key());
  found.in_vain += exploration.counts.redundant + exploration.counts.abandoned;
  ++found.parts;
  return exploration.position;
}

// Parts of 1 to 20 executions, 2 to 8 of them under way.
inline Found search(System& system, const std::shared_ptr<const CommonGround>& ground, Random& random) {
  struct UnderWay {
    PartNumber part;
    std::string notes;
    std::optional<std::string> rest;
  };
  Found found;
  const auto first = make_optimal_reduction();
  first->stand_on(ground);
  PositionWriter nothing_yet;
  nothing_yet.put(0);
  auto source = first->make_source(system, nothing_yet.bytes());
  const std::uint64_t executions = 1 + random.below(20), in_flight = 2 + random.below(7);
  std::vector<UnderWay> under_way;
  while (!source->is_done() && !::testing::Test::HasFailure()) {
    // Now and then all processes come to an end, and the search goes on from what was kept.
    if (under_way.empty() && random.below(10) == 0) {
      source = first->make_source(system, source->position());
      EXPECT_NE(source, nullptr);
    }
    while (under_way.size() < in_flight && (under_way.empty() || random.below(20) > 0)) {
      const auto part = source->hand_out();
      if (!part) break;
      const auto reduction = make_optimal_reduction();
      reduction->stand_on(ground);
      PositionReader reader(part->position);
      Trials trials(system);
      EXPECT_TRUE(reduction->read_position(reader, trials) && reader.is_complete());
      reduction->become_part(part->from_level);
      UnderWay& one = under_way.emplace_back();
      one.part = part->number;
      one.rest = run(system, *reduction, executions, found);
      one.notes = reduction->take_notes();
    }
    const std::size_t chosen = random.below(under_way.size());
    const UnderWay one = std::move(under_way[chosen]);
    under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(chosen));
    EXPECT_TRUE(source->commit(one.part, one.notes));
    if (!one.rest) {
      source->finish(one.part, true);
      continue;
    }
    source->keep(one.part, *one.rest);
    if (random.below(3) > 0) {
      EXPECT_FALSE(source->divide(one.part).is_damaged);
    }
    source->take_back(one.part);
  }
  return found;
}

// Nothing if it has more traces than that; else how many parts it had.
inline std::optional<std::uint64_t> compare(System& system, std::uint64_t seed, std::uint64_t traces_max) {
  const auto alone = make_optimal_reduction();
  Found expected;
  if (run(system, *alone, traces_max, expected)) return std::nullopt;
  Random random(seed);
  std::uint64_t parts = 0;
  // In one System all objects have their numbers in common.
  for (const auto& ground : {std::shared_ptr<const CommonGround>(), alone->common_ground()}) {
    const Found found = search(system, ground, random);
    const char* const by = ground == nullptr ? "by names" : "by numbers";
    EXPECT_EQ(found.traces.size(), expected.traces.size()) << by;
    EXPECT_TRUE(found.traces == expected.traces) << by;
    EXPECT_EQ(found.bugs, expected.bugs) << by;
    EXPECT_EQ(found.in_vain, 0u) << by;
    parts += found.parts;
  }
  return parts;
}

// So many programs are compared, unless an environment variable of this name says how many.
inline std::uint64_t programs_of(const char* variable, std::uint64_t usual) {
  const char* const more = std::getenv(variable);
  return more == nullptr ? usual : std::strtoull(more, nullptr, 10);
}

}  // namespace ravel::in_parts
