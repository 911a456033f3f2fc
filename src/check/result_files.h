// The files that a check writes for machines, whatever it has checked.

#pragma once

#include "base/result.h"
#include "check/check_options.h"
#include "report/check_report.h"

namespace ravel {

// Those that the options ask for.
Status write_result_files(const CheckOptions& options, const CheckReport& report);

}  // namespace ravel
