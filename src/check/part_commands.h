// A search whose parts are files: `ravel split`, `ravel part` and `ravel merge`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/check_options.h"
#include "check/front_end.h"

namespace ravel {

inline constexpr std::uint32_t kPartFilesMax = 100'000;

struct SplitOptions {
  CheckOptions check;
  std::string into;         // the folder
  std::uint32_t parts = 8;  // files that are wanted
};

struct PartOptions {
  std::string file;
  std::string out;                   // the result; empty: the part's name with .result
  std::vector<std::string> budgets;  // how long the part is run; none: to its end
  bool ends_with_parent = false;     // stops when whoever has started it ends, and writes what it has
  ReportOptions report;
};

struct MergeOptions {
  std::string folder;
  std::vector<std::string> results;  // none: those in the folder
  bool serves = false;               // a program speaks to it (parted_search.cc)
  std::string out, json_file, junit_file;
  ReportOptions report;
};

// Each returns the exit status: 3 if there are parts to be run.
Result<int> split(const FrontEnds& front_ends, SplitOptions options);
Result<int> run_part_file(const FrontEnds& front_ends, const PartOptions& options);
Result<int> merge_results(const FrontEnds& front_ends, MergeOptions options);

}  // namespace ravel
