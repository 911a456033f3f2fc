// The tests of a program of Erlang or Elixir, by the names that -t and reports give them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "check/front_end.h"
#include "erlang/machine/machine.h"
#include "erlang/system/eunit_suite.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

// All tests of all modules; there may be none.
Result<std::vector<TestCase>> all_tests(Program& program, const MachineOptions& machine);

// The tests that -t names, each once and in that order; without -t all of them. An error if there are none.
Result<std::vector<TestCase>> chosen_tests(Program& program, const std::vector<std::string>& wanted,
                                           const MachineOptions& machine);

}  // namespace ravel::erlang
