// The index of a check as one page for a browser: its tests, what became of them, and links to the pages of
// bugs. It has no script and loads nothing.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/check_report.h"

namespace ravel {

// By bug of one test: the file of its page beside the index, or empty.
using BugPages = std::vector<std::string>;

// `pages`: by test.
std::string html_index(const CheckReport& report, std::span<const BugPages> pages);

}  // namespace ravel
