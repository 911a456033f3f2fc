// The one execution that `ravel trace`, `ravel races` and others are about: that of a ticket, of a trace, or
// the first one of a test.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/front_end.h"
#include "engine/bug.h"
#include "engine/trace.h"
#include "races/follow_trace.h"
#include "races/observation.h"

namespace ravel {

struct Subject {
  const FrontEnd* front_end = nullptr;
  std::unique_ptr<OpenedTest> test;
  std::uint64_t events_max = 0;
  // How the execution goes; neither steps nor a trace: without preemptions.
  std::vector<NamedStep> steps = {};
  std::optional<Trace> trace = {};
  std::optional<Ticket> ticket = {};

  System& system() const { return test->system(); }
};

// Whether this argument names a ticket or a trace, not a file of a program.
bool is_saved_file(const std::string& argument);

// What a saved file is about: `files` take the place of those that it names.
Result<Subject> open_saved(const FrontEnds& front_ends, const std::string& saved,
                           std::span<const std::string> files, const ReportOptions& report, Purpose purpose);
// The files of the options begin with a saved file, or name a program as for any command.
Result<Subject> open_subject(const FrontEnds& front_ends, const SubjectOptions& options, Purpose purpose);

// Runs the execution to its end, and tells the user where it could not go as it was noted.
std::unique_ptr<Observation> observe(const Subject& subject, const ReportOptions& report);

// The trace of an execution of this subject, complete with what is needed to run it again.
Trace full_trace(const Subject& subject, const Observation& observation);
// The same of what was made of such a trace.
void note_subject(const Subject& subject, Trace& trace);

}  // namespace ravel
