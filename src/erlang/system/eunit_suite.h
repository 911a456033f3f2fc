// The tests of an EUnit suite, one by one: what generators give, with the titles of tests and groups.
//
// To know them, generators and the setups of fixtures have to run, each in a schedule of its own
// (plain_run.cc) and from the beginning, without the bodies of tests (src/erlang/lib/ravel_eunit.erl). What
// cannot be listed, because its generator or its setup fails there, is itself listed as a test: running it
// shows the failure, with a schedule.
//
// Tests of a suite should not need each other, but EUnit runs them in order, in one process or with one
// fixture, and many suites count on it. So each one is run alone in that one schedule. If it fails, and the
// group around it, with the tests before it, passes, then that group is one test.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "erlang/machine/machine.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

struct TestCase {
  TestName name;
  std::string title = {};    // those of its groups and its own, joined by ": "
  std::string skipped = {};  // why Common Test would skip it, if it would

  friend bool operator==(const TestCase&, const TestCase&) = default;
};

// What a name of a test stands for: itself, all that a generator or a group in it gives, or all tests of an
// ExUnit case (exunit_case.h) or of a suite of Common Test (common_test_suite.h). A group whose tests run in
// parallel is one test. REQUIRES: Program::resolve() has given this name, or its function with another path.
Result<std::vector<TestCase>> list_test_cases(Program& program, const TestName& name,
                                              const MachineOptions& machine);

}  // namespace ravel::erlang
