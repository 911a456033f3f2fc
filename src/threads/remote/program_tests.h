// Which tests a program holds: those that it has marked with RAVEL_TEST, those of a test framework, or the
// program itself.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "threads/frameworks/test_framework.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

struct ListedTest {
  ProgramTest test;
  std::string group = {};    // what names it and others; empty: nothing
  std::string title = {};    // what else the framework says of it, or empty
  bool is_disabled = false;  // runs only if it is named
};

// Starts the program with these arguments and asks it. A program without tests is one, which is its main().
// `filter`: what chooses among those of a framework by its own rules; empty: all. With one there may be none.
Result<std::vector<ListedTest>> list_tests(const ProgramCall& call, const std::string& filter = {});

// What the program has in it, as far as its symbols tell; null: nothing.
const TestFramework* framework_of(const std::string& path);

}  // namespace ravel::threads
