#include "front_ends/erlang/program_tests.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace ravel::erlang {

namespace {

// What these names stand for, each test once.
Result<std::vector<TestCase>> list_tests(Program& program, std::span<const TestName> names,
                                         const MachineOptions& machine) {
  std::vector<TestCase> tests;
  for (const TestName& name : names) {
    const auto cases = list_test_cases(program, name, machine);
    if (!cases) return cases.error();
    for (const TestCase& test : *cases) {
      if (std::ranges::find(tests, test.name, &TestCase::name) == tests.end()) tests.push_back(test);
    }
  }
  return tests;
}

}  // namespace

Result<std::vector<TestCase>> all_tests(Program& program, const MachineOptions& machine) {
  return list_tests(program, program.tests(), machine);
}

Result<std::vector<TestCase>> chosen_tests(Program& program, const std::vector<std::string>& wanted,
                                           const MachineOptions& machine) {
  std::vector<TestName> names;
  if (wanted.empty()) names = program.tests();
  for (const std::string& text : wanted) {
    const auto name = TestName::parse(text);
    if (!name) return name.error();
    const auto resolved = program.resolve(*name);
    if (!resolved) return resolved.error();
    std::ranges::copy(*resolved, std::back_inserter(names));
  }
  auto tests = list_tests(program, names, machine);
  if (tests && tests->empty())
    return Error{
        "there is no test: no module exports a function NAME_test/0, and no generator NAME_test_/0 gives "
        "any. Name a "
        "function of arity 0: -t MODULE:FUNCTION."};
  return tests;
}

}  // namespace ravel::erlang
