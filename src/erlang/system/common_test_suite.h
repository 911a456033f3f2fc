// The test cases of a suite of Common Test, one by one, as all/0 and groups/0 have them.
//
// To know them, the suite is asked (src/erlang/lib/ravel_ct.erl), in a schedule of its own (plain_run.cc).
// Then each test case is run alone in such a schedule. A test case that is skipped there is not searched. A
// test case that fails, and passes after the test cases before it in its group, needs them: then the group is
// one test, as in EUnit's suites (eunit_suite.h).
#pragma once

#include <vector>

#include "base/result.h"
#include "erlang/system/eunit_suite.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

// REQUIRES: name.is_of_common_test().
Result<std::vector<TestCase>> list_common_test_cases(Program& program, const TestName& name,
                                                     const MachineOptions& machine);

}  // namespace ravel::erlang
