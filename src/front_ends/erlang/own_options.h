// The options that programs of Erlang and Elixir have of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/check_options.h"
#include "check/front_end.h"
#include "erlang/machine/machine.h"
#include "erlang/system/erlang_options.h"
#include "erlang/system/program.h"
#include "erlang/system/properties.h"
#include "states/temporal_question.h"
#include "strategy/catalogue.h"

namespace ravel::erlang {

inline constexpr const char kFrontEndName[] = "erlang";

struct OwnOptions final : FrontEndOptions {
  // How the program is opened.
  std::vector<std::string> include_folders;
  std::vector<std::string> code_folders;
  std::vector<std::string> defines;                   // NAME or NAME=VALUE
  std::vector<std::string> test_configuration_files;  // what ct:get_config reads
  bool starts_applications = true;                    // those of a mix project, before each test

  // What may happen in an execution.
  std::optional<std::uint32_t> after_infinite;  // milliseconds from which an `after` never fires
  Delivery delivery = Delivery::kInstant;
  std::optional<Ends> ends;  // if nothing is said, the strategy decides
  Steps steps = Steps::kOperations;
  std::optional<Clocks> clocks;  // if nothing is said, the policy of time decides
  std::int64_t random_seed = 0;
  std::vector<std::string> atomic_modules;
  std::vector<std::string> stubs;        // MODULE=STUB
  std::vector<std::string> environment;  // NAME=VALUE, or NAME for the value that it has here
  std::uint64_t step_limit = 100'000'000;
  Blocking blocking = Blocking::kAvoid;

  // What befalls it from outside.
  std::vector<std::string> kills;  // N or N=NAME,...
  std::uint32_t losses = 0, duplications = 0;
  std::vector<std::string> slow;  // NAME,...

  Properties properties;  // but for what --ignore says

  Fairness fairness = Fairness::kWeak;  // that executions without an end keep

  // What a search by states takes for one.
  std::vector<std::string> symmetric;  // NAME,... of one group each
  std::string abstraction;             // MODULE:FUNCTION

  // How tests are searched.
  ErlangOptions::Starts starts = ErlangOptions::Starts::kOnce;
  std::vector<std::string> non_racing;
};

std::shared_ptr<OwnOptions> add_own_options(OptionTable& table, CommandKind command);

const OwnOptions& own_options(const CommandOptions& options);

// The kinds of bugs that --ignore names.
std::vector<std::string_view> ignorable_bugs();
// What is a bug, with what --ignore says.
Properties properties_of(const CommandOptions& options);

TimePolicy time_policy(TimeOption time);

// Takes over what the machine has to know; says which options do not go together.
Status set_model(const CommandOptions& options, MachineOptions& machine);

// What may befall the program from outside; an error if that is not for this model or this strategy.
Result<MishapOptions> mishaps_of(const CommandOptions& options, const StrategyEntry& strategy);

// The groups of --symmetric; an error if that is not for this model or this strategy.
Result<std::vector<ProcessGroup>> symmetric_groups(const CommandOptions& options,
                                                   const StrategyEntry& strategy);

// The files that were named, or the project of this folder, with what was given besides; `remarks` get what
// the user should know of the project.
Result<ProgramOptions> program_options(const CommandOptions& options, std::vector<std::string>& remarks);

// Opens the program, and shows what was remarked and what the compiler has said. `further`: a file that is
// opened with it, or empty.
Result<std::unique_ptr<Program>> open_program(const CommandOptions& options, const std::string& further = {});

}  // namespace ravel::erlang
