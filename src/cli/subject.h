// The one execution that `ravel trace`, `ravel races` and others are about: that of a ticket, of a trace, or the first
// one of a test.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/options.h"
#include "cli/threads_program.h"
#include "cli/ticket_program.h"
#include "engine/bug.h"
#include "engine/trace.h"
#include "erlang/system/erlang_system.h"
#include "races/follow_trace.h"
#include "races/observation.h"
#include "threads/remote/remote_system.h"

namespace ravel {

// What a subject is a test of. A front end's own part holds what its system needs.
struct ErlangSubject {
  std::unique_ptr<erlang::Program> program;
  TicketProgram noted;
  erlang::ErlangOptions options;
};
struct ThreadsSubject {
  ThreadsProgram noted;
  threads::RemoteSystem* system = nullptr;  // the subject's
};

struct Subject {
  std::string front_end;
  std::string test;                              // its name, for readers
  std::string program;                           // as a trace notes it
  std::vector<std::string> changed = {};         // parts of the program that are not as they were saved
  std::variant<ErlangSubject, ThreadsSubject> of;
  std::unique_ptr<System> system;                // that answers could_take()
  std::uint64_t events_max = 0;
  // How the execution goes; neither: without preemptions.
  std::vector<NamedStep> steps = {};
  std::optional<Trace> trace = {};
  std::optional<Bug> bug = {};  // of the ticket
};

// Whether this argument names a ticket or a trace, not a file of a program.
bool is_saved_file(const std::string& argument);

// Whether a saved file, if it can be read, is about a program of C or C++.
bool is_saved_of_threads(const std::string& file);

// What a saved file is about: `files` take the place of those that it names.
// `after_bug` says whether the execution goes on behind a bug, so that more of what races can be seen.
Result<Subject> open_saved(const std::string& saved, std::span<const std::string> files, const ReportOptions& report,
                           AfterBug after_bug = AfterBug::kStop);
// `arguments.files` begin with a saved file, or name a program as for any command.
Result<Subject> open_subject(const SubjectOptions& options, AfterBug after_bug = AfterBug::kStop);

// Runs the execution to its end, and tells the user where it could not go as it was noted.
std::unique_ptr<Observation> observe(const Subject& subject, const ReportOptions& report);

// The trace of an execution of this subject, complete with what is needed to run it again.
Trace full_trace(const Subject& subject, const Observation& observation);

// "finished", or the kind of the bug.
std::string outcome_text(const Recording& recording);

}  // namespace ravel
