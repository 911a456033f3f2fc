// Programs of Erlang keep the contract of a System: random ones, of one kind of operations each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "erlang/system/temporary_folder.h"
#include "tests/contract/contract.h"
#include "tests/erlang_system/ways.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::contract {
namespace {

class ErlangContract : public testing::TestWithParam<const char*> {
 protected:
  void try_programs(const erlang::MachineOptions& machine);

  // With a function of no arguments for each seed.
  void open(std::size_t programs, std::size_t operations) {
    const auto folder = erlang::TemporaryFolder::make();
    ASSERT_TRUE(folder.ok());
    const std::string starter = folder->path() + "/small_programs.erl";
    std::ofstream text(starter);
    text << "-module(small_programs).\n-compile(export_all).\n-compile(nowarn_export_all).\n";
    for (std::size_t seed = 0; seed < programs; ++seed)
      text << "p" << seed << "() -> commute:small(" << seed << ", " << GetParam() << ", " << operations
           << ").\n";
    text.close();
    program_ =
        erlang::open_program({erlang::project_file("tests/erlang_system/programs/commute.erl"), starter});
  }

  std::unique_ptr<erlang::Program> program_;
};

void ErlangContract::try_programs(const erlang::MachineOptions& machine) {
  if (!erlang::is_erl_installed()) GTEST_SKIP() << "no Erlang/OTP is installed here to compile the program";
  constexpr std::size_t kPrograms = 20;
  open(kPrograms, 3);
  for (std::size_t seed = 0; seed < kPrograms; ++seed) {
    SCOPED_TRACE(std::string(GetParam()) + ", seed " + std::to_string(seed));
    const auto system =
        erlang::start_program(*program_, "small_programs:p" + std::to_string(seed), {}, machine);
    EXPECT_THAT(broken_promises(*system, {.seed = seed + 1, .executions = 6}), testing::IsEmpty());
  }
}

TEST_P(ErlangContract, IsKept) { try_programs({.notes_messages = true}); }

TEST_P(ErlangContract, IsKeptWithFaults) {
  constexpr std::uint32_t kMost = erlang::kMishapsMax;  // so that none keeps another from happening
  try_programs({.notes_messages = true, .mishaps = {.kills = kMost}});
  try_programs({.delivery = erlang::Delivery::kChannels,
                .notes_messages = true,
                .mishaps = {.kills = kMost, .losses = kMost, .duplications = kMost}});
}

// With names that are given again, states come again, and are numbered.
TEST_P(ErlangContract, IsKeptWhereNamesRecur) {
  if (!erlang::is_erl_installed()) GTEST_SKIP() << "no Erlang/OTP is installed here to compile the program";
  constexpr std::size_t kPrograms = 20;
  constexpr std::uint32_t kMost = erlang::kMishapsMax;
  const erlang::MachineOptions models[] = {
      {.ends = erlang::Ends::kStepwise},
      {.ends = erlang::Ends::kAtomic},
      {.delivery = erlang::Delivery::kChannels,
       .ends = erlang::Ends::kAtomic,
       .mishaps = {.kills = kMost, .losses = kMost, .duplications = kMost}}};
  open(kPrograms, 3);
  for (std::size_t seed = 0; seed < kPrograms; ++seed) {
    SCOPED_TRACE(std::string(GetParam()) + ", seed " + std::to_string(seed));
    for (erlang::MachineOptions machine : models) {
      machine.recurring = true;
      const auto system =
          erlang::start_program(*program_, "small_programs:p" + std::to_string(seed), {}, machine);
      EXPECT_THAT(broken_promises(*system, {.seed = seed + 1, .executions = 6, .names_recur = true}),
                  testing::IsEmpty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, ErlangContract,
                         testing::Values("messages", "signals", "names", "tables", "owners", "numbers",
                                         "timers", "questions"),
                         [](const auto& family) { return std::string(family.param); });

}  // namespace
}  // namespace ravel::contract
