// The test frameworks whose tests are found by themselves, one row each.
//
// A program with such a framework is asked for its tests, and is started anew for each of them with arguments
// that choose it. What it prints tells whether that one failed, and where. Google Test stops at a failure by
// a trap; the others go on, and the test ends as they have it end, because only then is it known whether a
// failure was expected.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "threads/protocol/messages.h"
#include "threads/protocol/operation.h"

namespace ravel::threads {

struct FrameworkTest {
  std::string name;
  std::string group = {};    // a suite, which names all of its tests; empty: none
  std::string title = {};    // what else the framework says of it, or empty
  bool is_disabled = false;  // runs only if it is named
};

// The arguments of some starts, of which all answers are needed.
using Calls = std::vector<std::vector<std::string>>;

struct TestFramework {
  TestKind kind = TestKind::kMain;
  std::string_view name = {};        // as people call it
  std::string_view id = {};          // in tickets
  std::string_view symbol = {};      // beginning of a symbol in each program that runs its tests
  std::string_view main_calls = {};  // what a main() has to do
  // Separator between a group that has groups and the inner ones; empty: there are none
  std::string_view group_end = {};
  // Whether this is no name, but chooses tests by the framework's own rules
  bool (*is_filter)(std::string_view wanted) = nullptr;
  // Ways to ask, by version of the framework: the first one that is answered counts. `filter`: as above, or
  // empty for all.
  std::vector<Calls> (*listings)(const std::string& filter) = nullptr;
  // Nothing: these are no answers.
  std::optional<std::vector<FrameworkTest>> (*parse_listing)(std::span<const std::string> outputs) = nullptr;
  std::vector<std::string> (*run_arguments)(const std::string& test) = nullptr;
  std::span<const char* const> environment = {};  // NAME=VALUE, for running
  // The first failure that an output tells, without a stack.
  std::optional<RawBug> (*find_failure)(std::string_view output) = nullptr;
  // Whether the output of an execution that ended says that a test has run; null: it need not.
  bool (*has_run_test)(std::string_view output) = nullptr;
};

std::span<const TestFramework> test_frameworks();
// Null: none.
const TestFramework* find_framework(TestKind kind);

// Frameworks, each in a file of its own.
TestFramework google_test();
TestFramework catch2();
TestFramework doctest();
TestFramework boost_test();

}  // namespace ravel::threads
