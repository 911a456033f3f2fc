// The options that programs of C and C++ have of their own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/check_options.h"
#include "check/front_end.h"
#include "threads/protocol/messages.h"

namespace ravel::threads {

inline constexpr const char kFrontEndName[] = "threads";

// Whether the words of an array, or of a block of the heap, are variables of their own.
enum class VariableParts : std::uint8_t { kWhole, kElements };

struct OwnOptions final : FrontEndOptions {
  AccessOperations accesses = AccessOperations::kRacy;
  bool races_are_bugs = false;
  bool spurious = false;
  bool host_files = false;
  bool isolates = false;
  std::vector<std::string> tracked;                // --track: names
  VariableParts parts = VariableParts::kElements;  // what the variables of --variables and vt are
};

std::shared_ptr<OwnOptions> add_own_options(OptionTable& table, CommandKind command);

const OwnOptions& own_options(const CommandOptions& options);

// The kinds of bugs that --ignore names.
std::vector<std::string_view> ignorable_bugs();

// How the program is run, but for what --track says.
Configuration configuration_for(const CheckOptions& options);

}  // namespace ravel::threads
