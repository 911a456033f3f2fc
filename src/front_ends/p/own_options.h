// The options that programs in P have of their own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "check/check_options.h"
#include "check/front_end.h"
#include "front_ends/p/opened_program.h"
#include "p/system/p_system.h"
#include "states/temporal_question.h"

namespace ravel::p {

inline constexpr const char kFrontEndName[] = "p";

struct OwnOptions final : FrontEndOptions {
  Steps steps = Steps::kOperations;
  bool attaches_specs = false;
  std::vector<std::string> libraries;  // with foreign functions
  std::vector<std::string> formulas;
  Fairness fairness = Fairness::kWeak;  // that executions without an end keep
  std::vector<std::string> symmetric;   // NAME,... of one group each
  bool tells_coverage = false;
  std::string trace_file;  // for P's viewers; empty: none
};

std::shared_ptr<OwnOptions> add_own_options(OptionTable& table, CommandKind command);

const OwnOptions& own_options(const CommandOptions& options);

// The kinds of bugs that --ignore names.
std::vector<std::string_view> ignorable_bugs();

// The program of these options.
Result<std::shared_ptr<const OpenedProgram>> open_program(const CommandOptions& options);

// How a test is run. An error if options are not for P.
Result<POptions> system_options(const CommandOptions& options);

}  // namespace ravel::p
