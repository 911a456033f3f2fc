// The files that a check writes for machines, whatever it has checked.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/check_options.h"
#include "report/tested.h"

namespace ravel {

// Those that the options ask for; `graphs` are the drawings of the searches.
Status write_result_files(const CheckOptions& options, std::span<const Tested> tested, const std::vector<std::string>& graphs);

}  // namespace ravel
