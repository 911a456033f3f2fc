// The file from which an interrupted search goes on: what was asked for, what was found, and where each
// test's search was.
//
// It is for this version of Ravel only, because a position means something to the strategy that wrote it; and
// for the same program, which is checked by the checksums of its modules. Actors are noted by their logical
// names.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parts/part_findings.h"
#include "report/check_report.h"

namespace ravel {

// One test: whose search is complete, or has a position.
struct SavedTest {
  TestReport report;       // without recordings and without the tree
  std::string program;     // as a ticket notes it
  std::string own = "{}";  // what else its front end has to know: a JSON value
};

// What parts of its search have to know of what was found.
PartFindings findings_of(const SavedTest& test);
// What they have found, in the place of what was there.
void put_findings(SavedTest& test, PartFindings findings);

struct SavedSearch {
  std::string folder;                  // where the command was given
  std::vector<std::string> arguments;  // of `ravel check`
  std::vector<SavedTest> tests;
};

std::string print_search(const SavedSearch& search);
// One test alone, as processes tell each other: of one that is under way some tickets may not be there yet.
std::string print_test(SavedTest test);
// Nothing: it is damaged.
std::optional<SavedTest> parse_test(std::string_view text);
// `name` is what messages call the file.
Result<SavedSearch> parse_search(std::string_view text, std::string_view name);

}  // namespace ravel
