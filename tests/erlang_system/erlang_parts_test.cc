// Reduction of Erlang programs in parts, which come back in any order, against one process: the same traces,
// each once, none in vain.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "erlang/system/temporary_folder.h"
#include "tests/erlang_system/ways.h"
#include "tests/toy/reduction_in_parts.h"

namespace ravel::erlang {
namespace {

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
  return system ? in_parts::compare(**system, seed, kTracesMax) : std::nullopt;
}

TEST_P(ErlangParts, RunEachTraceOnce) {
  const std::size_t programs = in_parts::programs_of("ERLANG_TRACES_PROGRAMS", 40);
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
