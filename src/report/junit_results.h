// The results of a check in the XML that continuous integration reads as those of JUnit.
//
// A suite for each module, a case for each test. A bug is a `failure`, with its ticket; what no schedule
// controls is an `error`, and a search that ended before it was complete, and without a bug, is `skipped`: it
// is no pass.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/check_report.h"

namespace ravel {

// REQUIRES: every test is named MODULE:NAME.
std::string junit_results(const CheckReport& report);
// Bad input, which no test is to blame for.
std::string junit_error(std::string_view message);

// As the text of an element or the value of an attribute: what XML forbids and what is not UTF-8 becomes
// U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace ravel
