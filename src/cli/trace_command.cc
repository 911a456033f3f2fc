// ravel trace: one execution as a trace, to read, to save and to run again.
#include <fmt/format.h>

#include <cstdio>

#include "check/subject.h"
#include "cli/commands.h"
#include "host/files.h"
#include "report/summary.h"
#include "report/trace_text.h"
#include "report/verdict.h"

namespace ravel {

Result<int> trace_command(const FrontEnds& front_ends, const SubjectOptions& options) {
  if (!options.out.empty()) {
    if (const Status writable = check_writable_file(options.out); !writable)
      return Error{writable.error().message + " Name another file with --out."};
  }
  const auto subject = open_subject(front_ends, options, Purpose::kShow);
  if (!subject) return subject.error();
  const auto observation = observe(*subject, options.report);
  if (observation->recording().refusal) {
    std::fputs(describe_refusal(*observation->recording().refusal).c_str(), stderr);
    return exit_status(Verdict::kUnsupported);
  }
  const Trace trace = full_trace(*subject, *observation);
  if (options.report.quiet == Quiet::kNo) {
    const Colour colour = colour_for(options.report.colour, stdout);
    std::string text =
        paint(subject->test->title(), Ink::kBold, colour) + "\n\n" + describe_trace(trace, colour) + "\n";
    text += fmt::format("{}, {}; it ends: {}.\n", counted(trace.actors.size(), "actor"),
                        counted(trace.length(), "event"), trace.outcome);
    std::fputs(text.c_str(), stdout);
  }
  if (!options.out.empty()) {
    if (Status written = write_text_file(options.out, print_trace(trace)); !written) return written.error();
  }
  return exit_status(Verdict::kPass);
}

}  // namespace ravel
