#include "check/result_files.h"

#include "host/files.h"
#include "report/dot_results.h"
#include "report/json_results.h"
#include "report/junit_results.h"

namespace ravel {

Status write_result_files(const CheckOptions& options, const CheckReport& report) {
  if (!options.json_file.empty())
    if (Status written = write_text_file(options.json_file, json_results(report)); !written) return written;
  if (!options.junit_file.empty())
    if (Status written = write_text_file(options.junit_file, junit_results(report)); !written) return written;
  if (!options.graph_file.empty())
    if (Status written = write_text_file(options.graph_file, dot_results(report)); !written) return written;
  return Success{};
}

}  // namespace ravel
