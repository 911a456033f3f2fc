// Which tests a program holds: those that it has marked with RAVEL_TEST, those of Google Test, or the program itself.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

struct ListedTest {
  ProgramTest test;
  std::string title = {};    // what the test library says of it besides, or empty
  bool is_disabled = false;  // runs only if it is named
};

// Starts the program with these arguments and asks it. A program without tests is one, which is its main().
Result<std::vector<ListedTest>> list_tests(const ProgramCall& call);

// What --gtest_list_tests prints; nothing if that is something else.
std::vector<ListedTest> parse_google_tests(std::string_view output);

}  // namespace ravel::threads
