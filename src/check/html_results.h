// The results of a check as pages for a browser: an index of the tests, and a page for each bug that has a
// ticket.
#pragma once

#include "base/result.h"
#include "check/check_options.h"
#include "check/front_end.h"
#include "report/check_report.h"

namespace ravel {

// Into the folder of --html. Bugs after the first kStoriesMax of a test have no page.
Status write_html_results(const FrontEnds& front_ends, const CheckOptions& options,
                          const CheckReport& report);

// Whether that is possible: before anything is searched.
Status check_html_folder(const CheckOptions& options);

}  // namespace ravel
