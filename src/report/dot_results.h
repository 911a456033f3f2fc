// A check as a drawing: the trees of its searches in the language of Graphviz (DOT).
#pragma once

#include <string>

#include "report/check_report.h"

namespace ravel {

// The whole file, with a cluster for each test whose search was noted.
std::string dot_results(const CheckReport& report);

}  // namespace ravel
