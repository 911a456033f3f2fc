// Programs that were varied at random are read, checked and, if they are programs still, run: whatever they
// say, nothing may crash. Under sanitizers this is a fuzzer:
//
//   RAVEL_FUZZ_MUTANTS  how many (a few hundred, if it is not set)
//   RAVEL_FUZZ_PROGRAMS a folder with programs (.p) to vary; our own, if it is not set
//   RAVEL_FUZZ_SEED     where the random numbers begin
//   RAVEL_FUZZ_KEPT     a file that always has the text of the present mutant

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "engine/explorer.h"
#include "strategy/catalogue.h"
#include "tests/p_checker/mutations.h"
#include "tests/p_checker/well_formed.h"
#include "tests/p_system/run.h"

namespace ravel::p {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMutants = 300;
constexpr std::uint64_t kExecutions = 200;
constexpr std::uint64_t kEvents = 200;
constexpr std::size_t kTestsMax = 2;

std::uint64_t number_of(const char* variable, std::uint64_t usual) {
  const char* const given = std::getenv(variable);
  return given == nullptr ? usual : std::strtoull(given, nullptr, 10);
}

std::vector<std::string> programs_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".p") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

std::vector<std::string> programs() {
  if (const char* const folder = std::getenv("RAVEL_FUZZ_PROGRAMS")) return programs_in(folder);
  std::vector<std::string> all = programs_in(std::string(RAVEL_SOURCE_DIR) + "/examples/p");
  for (std::string& text : programs_in(std::string(RAVEL_SOURCE_DIR) + "/tests/p_checker/programs"))
    all.push_back(std::move(text));
  return all;
}

CheckedSources checked(std::string text) {
  std::vector<SourceText> texts;
  texts.push_back({.name = "t.p", .text = std::move(text)});
  return check(std::move(texts));
}

// Those that are programs by themselves, with tests.
std::vector<std::string> whole_ones(const std::vector<std::string>& texts) {
  std::vector<std::string> whole;
  for (const std::string& text : texts)
    if (const CheckedSources result = checked(text); result.ok() && !result.program->tests.empty())
      whole.push_back(text);
  return whole;
}

struct Tally {
  std::uint64_t mutants = 0, accepted = 0, tests = 0, executions = 0, bugs = 0;
};

void run_by(PSystem& system, const char* strategy, std::uint64_t executions, Tally& tally) {
  StrategyParameters parameters;
  parameters.executions = executions;
  const auto made = make_strategy(strategy, parameters);
  ASSERT_TRUE(made.ok());
  Limits limits;
  limits.executions = executions;
  limits.events_max = kEvents;
  limits.long_executions = LongExecutions::kLeftOpen;
  SteadyClock clock;
  const Exploration found = Explorer(system, **made, limits, clock).run();
  tally.executions += found.counts.executions;
  tally.bugs += found.bugs.size();
}

// One execution, of which all is asked that may be asked.
void look_at_everything(PSystem& system, Random& random) {
  system.reset();
  for (std::uint64_t i = 0; i < kEvents && system.outcome() == Outcome::kRunning; ++i) {
    const auto enabled = system.enabled();
    const Transition chosen = enabled[random.below(enabled.size())];
    system.pending(chosen);
    const std::optional<Snapshot> before = system.save();
    system.step(chosen);
    system.describe_last();
    const auto print = system.fingerprint();
    system.restore(*before);
    system.step(chosen);
    EXPECT_EQ(print, system.fingerprint());
    system.waiting();
    system.release(*before);
  }
  if (system.outcome() == Outcome::kBug) system.bug();
  if (system.outcome() == Outcome::kUnsupported) system.refusal();
}

void run(const Program& program, Random& random, Tally& tally) {
  for (std::size_t i = 0; i < program.tests.size() && i < kTestsMax; ++i) {
    ++tally.tests;
    PSystem system(program, program.tests[i], {.words_between_collections = random.below(2) * 1000});
    look_at_everything(system, random);
    run_by(system, "random", kExecutions, tally);
    run_by(system, "dpor", kExecutions / 10, tally);
  }
}

TEST(Survival, OfProgramsThatWereVaried) {
  const std::vector<std::string> texts = programs();
  const std::vector<std::string> whole = whole_ones(texts);
  ASSERT_FALSE(whole.empty());
  const std::uint64_t first = number_of("RAVEL_FUZZ_SEED", 1),
                      mutants = number_of("RAVEL_FUZZ_MUTANTS", kMutants);
  const char* const kept = std::getenv("RAVEL_FUZZ_KEPT");
  Tally tally;
  for (std::uint64_t seed = first; seed < first + mutants; ++seed) {
    Random random(seed);
    // What is no program by itself is for the reader more than for what runs programs.
    const std::vector<std::string>& varied_ones = random.chance(1, 4) ? texts : whole;
    std::string mutant =
        varied(varied_ones[random.below(varied_ones.size())], texts[random.below(texts.size())], random);
    if (kept != nullptr) std::ofstream(kept) << "// seed " << seed << "\n" << mutant;
    const CheckedSources result = checked(std::move(mutant));
    ++tally.mutants;
    if (!result.ok()) {
      EXPECT_NE(result.messages(), "") << seed;
      continue;
    }
    ++tally.accepted;
    ASSERT_EQ(fault_of(*result.program), "") << seed;
    run(*result.program, random, tally);
  }
  std::cout << tally.mutants << " mutants, " << tally.accepted << " accepted, " << tally.tests << " tests, "
            << tally.executions << " executions, " << tally.bugs << " bugs\n";
  EXPECT_GT(tally.accepted, 0);
}

}  // namespace
}  // namespace ravel::p
