#include "check/result_files.h"

#include "host/files.h"
#include "report/json_results.h"
#include "report/junit_results.h"
#include "report/search_graph.h"

namespace ravel {

Status write_result_files(const CheckOptions& options, std::span<const Tested> tested, const std::vector<std::string>& graphs) {
  if (!options.json_file.empty())
    if (Status written = write_text_file(options.json_file, json_results(tested)); !written) return written;
  if (!options.junit_file.empty())
    if (Status written = write_text_file(options.junit_file, junit_results(tested)); !written) return written;
  if (!options.graph_file.empty())
    if (Status written = write_text_file(options.graph_file, dot_file(graphs)); !written) return written;
  return Success{};
}

}  // namespace ravel
