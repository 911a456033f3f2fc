// An execution as P's checker writes it for its viewers (`.trace.json`): a list of entries, each with a type,
// a sentence and a vector clock.
//
// The form is that of PCheckerLogJsonFormatter (p-org/P, Src/PChecker/CheckerCore/Runtime/Logging). Machines
// have the names that P gives them: their type, and a number that counts all machines of the execution.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/named_step.h"
#include "p/system/p_system.h"

namespace ravel::p {

// `error`: what the entry of the bug says. REQUIRES: the steps can be taken.
std::string trace_json(const Program& program, const TestCase& test, const POptions& options,
                       std::span<const NamedStep> steps, std::string_view error, std::string_view strategy);

}  // namespace ravel::p
