// ravel trace: one execution as a trace, to read, to save and to run again.
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/subject.h"
#include "report/summary.h"
#include "report/trace_text.h"
#include "report/verdict.h"

namespace ravel {

namespace {

Result<int> show_trace(const SubjectOptions& options) {
  if (!options.out.empty()) {
    if (const Status writable = check_writable_file(options.out); !writable)
      return Error{writable.error().message + " Name another file with --out."};
  }
  const auto subject = open_subject(options);
  if (!subject) return subject.error();
  const auto observation = observe(*subject, options.report);
  if (observation->recording().refusal) {
    std::fputs(describe_refusal(*observation->recording().refusal).c_str(), stderr);
    return exit_status(Verdict::kUnsupported);
  }
  const Trace trace = full_trace(*subject, *observation);
  if (options.report.quiet == Quiet::kNo) {
    const Colour colour = colour_for(options.report.colour, stdout);
    std::string text = paint(subject->test, Ink::kBold, colour) + "\n\n" + describe_trace(trace, colour) + "\n";
    text += fmt::format("{}, {}; it ends: {}.\n", counted(trace.actors.size(), "actor"), counted(trace.length(), "event"),
                        trace.outcome);
    std::fputs(text.c_str(), stdout);
  }
  if (!options.out.empty()) {
    if (Status written = write_text_file(options.out, print_trace(trace)); !written) return written.error();
  }
  return exit_status(Verdict::kPass);
}

}  // namespace

int trace_command(const SubjectOptions& options) {
  const Result<int> status = show_trace(options);
  return status ? *status : complain(status.error().message);
}

}  // namespace ravel
