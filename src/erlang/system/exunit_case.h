// The tests of an ExUnit case, one by one, as ExUnit would choose them: without those that are tagged to be
// skipped or that test_helper.exs excludes.
//
// To know them, the case is asked (src/erlang/lib/ravel_exunit.erl), in a schedule of its own (plain_run.cc).
#pragma once

#include <vector>

#include "base/result.h"
#include "erlang/system/eunit_suite.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

// The tests of a case; for one test, that test as often as its case has parameters. REQUIRES:
// name.is_of_exunit().
Result<std::vector<TestCase>> list_exunit_tests(Program& program, const TestName& name,
                                                const MachineOptions& machine);

}  // namespace ravel::erlang
