// Reduction of Erlang programs in parts, which come back in any order, against one process: the same traces,
// each once, none in vain.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/explorer.h"
#include "erlang/system/temporary_folder.h"
#include "strategy/optimal_reduction/optimal_reduction.h"
#include "tests/erlang_system/trace_history.h"
#include "tests/erlang_system/ways.h"

namespace ravel::erlang {
namespace {

// Notes the trace of each execution that is completed.
class TraceNoter final : public TraceHistory {
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
  std::uint64_t in_vain = 0, parts = 0;
};

// Runs what is left of a part, or so many executions of it. Returns its new position, if something is left.
std::optional<std::string> run(ErlangSystem& system, OptimalReduction& reduction, std::uint64_t executions,
                               Found& found) {
  TraceNoter noter(reduction, system);
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  limits.executions = executions;
  SteadyClock clock;
  const Exploration exploration = Explorer(system, noter, limits, clock).run();
  found.traces.merge(noter.traces);
  found.in_vain += exploration.counts.redundant + exploration.counts.abandoned;
  ++found.parts;
  return exploration.position;
}

Found search_in_parts(ErlangSystem& system, const std::shared_ptr<const CommonGround>& ground,
                      Random& random) {
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

constexpr std::size_t kZeros[] = {2, 3, 4, 5, 6};  // of tables:last_zero/1

class ErlangParts : public testing::TestWithParam<const char*> {
 protected:
  // A module with a function of no arguments for each seed.
  void open(const std::string& family, std::size_t programs) {
    auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder.ok());
    const std::string starter = folder->path() + "/small_programs.erl";
    std::ofstream text(starter);
    text << "-module(small_programs).\n-compile(export_all).\n-compile(nowarn_export_all).\n";
    for (std::size_t seed = 0; seed < programs; ++seed)
      text << "p" << seed << "() -> commute:small(" << seed << ", " << family << ", 2).\n";
    for (const std::size_t count : kZeros)
      text << "zero" << count << "() -> tables:last_zero(" << count << ").\n";
    text.close();
    program_ = open_program({project_file("tests/erlang_system/programs/commute.erl"),
                             project_file("bench/peer/tables.erl"), starter});
  }

  std::unique_ptr<Program> program_;
};

constexpr std::uint64_t kTracesMax = 4'000;

ErlangOptions options() {
  return {.properties = {.crashes = Crashes::kAll,
                         .normal_reasons = {"shutdown", "boom", "killed", "noproc"},
                         .ignores_deadlocks = true},
          .machine = {.time = TimePolicy::kAny, .notes_messages = true}};
}

// Nothing if it has too many traces; else how many parts it had.
std::optional<std::uint64_t> compare(Program& program, const std::string& test, std::uint64_t seed) {
  SCOPED_TRACE(test + ", seed " + std::to_string(seed));
  auto system = ErlangSystem::start(program, *TestName::parse(test), options());
  EXPECT_TRUE(system.ok());
  const auto alone = make_optimal_reduction();
  Found expected;
  if (!system || run(**system, *alone, kTracesMax, expected)) return std::nullopt;
  Random random(seed);
  std::uint64_t parts = 0;
  // In one System all objects have their numbers in common.
  for (const auto& ground : {std::shared_ptr<const CommonGround>(), alone->common_ground()}) {
    const Found found = search_in_parts(**system, ground, random);
    EXPECT_EQ(found.traces.size(), expected.traces.size()) << (ground == nullptr ? "by names" : "by numbers");
    EXPECT_TRUE(found.traces == expected.traces) << (ground == nullptr ? "by names" : "by numbers");
    EXPECT_EQ(found.in_vain, 0u);
    parts += found.parts;
  }
  return parts;
}

TEST_P(ErlangParts, RunEachTraceOnce) {
  const char* const more = std::getenv("ERLANG_TRACES_PROGRAMS");
  const std::size_t programs = more == nullptr ? 40 : std::strtoul(more, nullptr, 10);
  open(GetParam(), programs);
  std::size_t compared = 0, parts = 0;
  for (std::size_t seed = 0; seed < programs && !HasFailure(); ++seed) {
    const auto of_program = compare(*program_, "small_programs:p" + std::to_string(seed), seed);
    compared += of_program ? 1 : 0;
    parts += of_program.value_or(0);
  }
  EXPECT_GT(compared, programs / 3);
  EXPECT_GT(parts, 2 * compared);
}

// A wakeup tree with very many branches, and rows that are looked at closely.
TEST_P(ErlangParts, OfATableRunEachTraceOnce) {
  open("tables", 1);
  for (const std::size_t count : kZeros)
    for (std::uint64_t seed = 0; seed < 10 && !HasFailure(); ++seed)
      EXPECT_TRUE(compare(*program_, "small_programs:zero" + std::to_string(count), seed).has_value());
}

INSTANTIATE_TEST_SUITE_P(Families, ErlangParts,
                         testing::Values("messages", "choices", "signals", "names", "tables", "owners",
                                         "numbers", "questions", "priority", "all"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace ravel::erlang
