// A check in words, for a terminal: what is told while it goes on, and at its end.
#pragma once

#include <cstddef>
#include <string>

#include "report/check_report.h"
#include "report/text.h"

namespace ravel {

struct CheckTextOptions {
  Colour colour = Colour::kOff;
  bool is_one_of_several = false;  // the check is of more than one test
};

// All that is told of one test: its bugs with their stories, and what is ruled out. Empty: its line in the
// table says it all.
std::string describe_test(const TestReport& report, const CheckTextOptions& options);

// A line for each bug.
std::string describe_test_briefly(const TestReport& report);

// What is said of all tests together, and what a pass depends on in addition to the test.
std::string describe_check(const CheckReport& report, Colour colour);

}  // namespace ravel
