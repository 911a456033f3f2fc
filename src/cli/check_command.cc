// ravel check: searches the schedules of each chosen test for bugs.
#include <utility>

#include "check/check.h"
#include "cli/commands.h"
#include "host/files.h"
#include "host/interrupt.h"
#include "host/messages.h"
#include "report/json_results.h"
#include "report/junit_results.h"
#include "report/sarif_results.h"
#include "report/verdict.h"

namespace ravel {

Result<int> check_command(const FrontEnds& front_ends, const CheckOptions& options) {
  const std::string& json = options.json_file;
  const std::string& junit = options.junit_file;
  const std::string& sarif = options.sarif_file;
  for (const auto& [file, option] : {std::pair(json, "--json"), std::pair(junit, "--junit"),
                                     std::pair(sarif, "--sarif"), std::pair(options.graph_file, "--graph")}) {
    if (file.empty()) continue;
    if (const Status writable = check_writable_file(file); !writable)
      return Error{writable.error().message + " Name another file with " + option + "."};
  }
  // From now on an interrupt ends what is going on as it ends a search.
  const std::atomic<bool>& interrupt = catch_interrupts();
  const Result<int> status = check(front_ends, options);
  if (status) return status;
  // If these fail as well, the first message is the one that counts.
  if (!json.empty()) static_cast<void>(write_text_file(json, json_error(status.error().message)).ok());
  if (!junit.empty()) static_cast<void>(write_text_file(junit, junit_error(status.error().message)).ok());
  if (!sarif.empty()) static_cast<void>(write_text_file(sarif, sarif_error(status.error().message)).ok());
  if (!interrupt) return status;
  remark("interrupted before there was anything to tell: " + status.error().message, options.report.colour);
  return exit_status(Verdict::kIncomplete);
}

}  // namespace ravel
