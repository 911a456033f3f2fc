// The tests of an ExUnit case, one by one, as ExUnit would choose them: without those that are tagged to be skipped or
// that test_helper.exs excludes.
//
// To know them, the case is asked (src/erlang/lib/ravel_exunit.erl), in a schedule of its own (plain_run.cc).
#pragma once

#include <vector>

#include "base/result.h"
#include "erlang/system/eunit_suite.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

// REQUIRES: name.is_exunit_case().
Result<std::vector<TestCase>> list_exunit_tests(Program& program, const TestName& name, const MachineOptions& machine);
// One test of a case, as often as the case has parameters.
// REQUIRES: name.is_of_exunit(), and it is no case.
Result<std::vector<TestCase>> list_with_parameters(Program& program, const TestName& name, const MachineOptions& machine);

}  // namespace ravel::erlang
