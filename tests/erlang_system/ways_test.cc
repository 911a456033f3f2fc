// Programs run in ways that they must not notice (ways.h): finds forgotten roots, pointers to what was
// collected, and state that is not saved.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "erlang/system/temporary_folder.h"
#include "tests/erlang_system/ways.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {
namespace {

namespace fs = std::filesystem;

// Whether a program is for releases from a later one on, as its line `%% since: 28` says.
bool is_too_new(const std::string& file) {
  if (!is_erl_installed()) return false;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line) && line.starts_with("%%");) {
    constexpr std::string_view kMark = "%% since: ";
    if (line.starts_with(kMark)) return std::atoi(line.c_str() + kMark.size()) > installed_release().number;
  }
  return false;
}

std::vector<std::string> sources_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(project_file(folder)))
    if (entry.path().extension() == ".erl" && !is_too_new(entry.path())) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// The functions without arguments that the `%% expect:` lines of a file name.
std::set<std::string> expected_tests(const std::string& file) {
  std::set<std::string> tests;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kMark = "%% expect: ";
    if (!line.starts_with(kMark)) continue;
    tests.insert(line.substr(kMark.size(), line.find(' ', kMark.size()) - kMark.size()));
  }
  return tests;
}

struct Limits {
  std::size_t seeds = 3;
  std::size_t steps_max = 200;
  std::uint64_t reductions_max = 3'000'000;
  TimePolicy time = TimePolicy::kAny;
  Clocks clocks = Clocks::kFrozen;
};

// Fewer on request: where each step takes long, as under sanitizers.
std::size_t seeds_of(const Limits& limits) {
  const char* const most = std::getenv("WAYS_SEEDS");
  return most == nullptr ? limits.seeds
                         : std::min<std::size_t>(limits.seeds, std::strtoull(most, nullptr, 10));
}

// Every way gives what the plain one gives, and ways that save agree on the states.
void expect_no_difference(Program& program, const std::string& test, const Limits& limits) {
  const std::vector<Way> ways = all_ways();
  const std::size_t seeds = seeds_of(limits);
  std::vector<Seen> expected, saved;
  for (const Way& way : ways) {
    const auto system = start_program(
        program, test, way,
        {.reductions_per_step_max = limits.reductions_max, .time = limits.time, .clocks = limits.clocks});
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      Seen seen = run(*system, way, seed, limits.steps_max);
      if (expected.size() > seed) {
        EXPECT_EQ(difference(expected[seed], seen), "") << test << ", " << way.name << ", seed " << seed;
      }
      if (way.saves && saved.size() > seed) {
        EXPECT_EQ(difference(saved[seed], seen), "") << test << ", " << way.name << ", seed " << seed;
      }
      if (way.saves && saved.size() == seed) saved.push_back(seen);
      if (expected.size() == seed) expected.push_back(std::move(seen));
    }
  }
}

TEST(Ways, golden_programs_do_not_notice_when_they_are_saved_and_collected) {
  const std::vector<std::string> files = sources_in("tests/golden");
  const auto program = open_program(files);
  std::size_t tests = 0;
  for (const std::string& file : files)
    for (const std::string& test : expected_tests(file)) {
      ++tests;
      expect_no_difference(*program, test, {.seeds = 4, .steps_max = 200, .reductions_max = 100'000});
    }
  EXPECT_GT(tests, 80u);
}

TEST(Ways, golden_programs_whose_time_follows_deadlines_do_not_notice_either) {
  const std::vector<std::string> files = sources_in("tests/golden");
  const auto program = open_program(files);
  std::size_t tests = 0;
  for (const std::string& file : files) {
    std::ifstream text(file);
    const std::string source(std::istreambuf_iterator<char>(text), {});
    // Others do the same whatever the time is.
    if (source.find("after") == std::string::npos && source.find("timer") == std::string::npos) continue;
    for (const std::string& test : expected_tests(file)) {
      ++tests;
      expect_no_difference(*program, test,
                           {.seeds = 6,
                            .steps_max = 200,
                            .reductions_max = 100'000,
                            .time = TimePolicy::kDeadlines,
                            .clocks = Clocks::kVirtual});
    }
  }
  EXPECT_GT(tests, 40u);
}

TEST(Ways, examples_do_not_notice_when_they_are_saved_and_collected) {
  std::vector<std::vector<std::string>> programs;
  for (const std::string& file : sources_in("examples/thesis"))
    if (!file.ends_with("ring.erl") && !file.ends_with("ring_tests.erl")) programs.push_back({file});
  programs.push_back(
      {project_file("examples/thesis/ring.erl"), project_file("examples/thesis/ring_tests.erl")});
  programs.push_back(sources_in("examples/race_variants"));
  for (const char* step : {"step_09", "step_22_as_printed", "step_26"})
    programs.push_back(sources_in(std::string("examples/registration_server/") + step));
  for (const std::vector<std::string>& files : programs) {
    const auto program = open_program(files);
    for (const ProgramModule& module : program->modules()) {
      for (const NamedEntry& entry : module.beam.exports) {
        const std::string& name = module.beam.atoms[entry.function_atom];
        if (entry.arity != 0 || name == "module_info") continue;
        expect_no_difference(*program, module.name + ":" + name, {.seeds = 3, .steps_max = 150});
      }
    }
  }
}

// A function without arguments for each corpus, with a seed and a number of cases that leave time for all
// ways.
TEST(Ways, differential_corpora_do_not_notice_when_they_are_saved_and_collected) {
  std::vector<std::string> files = sources_in("tests/differential");
  auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder.ok());
  const std::string starter = folder->path() + "/few_cases.erl";
  std::vector<std::string> names;
  std::ofstream text(starter);
  text << "-module(few_cases).\n-compile(export_all).\n-compile(nowarn_export_all).\n";
  for (const std::string& file : files) {
    const std::string name = fs::path(file).stem();
    if (name == "diff_support") continue;
    names.push_back(name);
    text << name << "() -> " << name << ":main(17, 40).\n";
  }
  text.close();
  files.push_back(starter);
  const auto program = open_program(files);
  for (const std::string& name : names)
    expect_no_difference(*program, "few_cases:" + name,
                         {.seeds = 1, .steps_max = 2000, .reductions_max = 20'000'000});
}

}  // namespace
}  // namespace ravel::erlang
