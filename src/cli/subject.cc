#include "cli/subject.h"

#include <fmt/format.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "cli/open_program.h"
#include "engine/ticket.h"

namespace ravel {

namespace {

Status start_system(Subject& subject, const erlang::TestName& test, AfterBug after_bug) {
  subject.options.machine.notes_messages = true;
  if (after_bug == AfterBug::kKeepGoing)
    subject.options.after_failure = erlang::ErlangOptions::AfterFailure::kGoOnAndTell;
  auto system = erlang::ErlangSystem::start(*subject.program, test, subject.options);
  if (!system) return system.error();
  subject.system = std::move(*system);
  return Success{};
}

Result<Subject> open_test(const SubjectOptions& options, AfterBug after_bug) {
  Subject subject;
  auto program = open_program(options.program, options.report);
  if (!program) return program.error();
  subject.program = std::move(*program);
  subject.options.properties = options.properties;
  subject.events_max = options.events_max;
  if (Status fitting = set_model(options.model, subject.options.machine); !fitting) return fitting.error();
  const auto tests = chosen_tests(*subject.program, options.program.tests, subject.options.machine);
  if (!tests) return tests.error();
  if (tests->size() > 1)
    return Error{"this is about one test, but here are " + std::to_string(tests->size()) + ". Name one: -t " +
                 tests->front().name.to_string() + "."};
  subject.noted = note_program(*subject.program, tests->front().name, subject.options);
  if (Status started = start_system(subject, tests->front().name, after_bug); !started) return started.error();
  return subject;
}

}  // namespace

bool is_saved_file(const std::string& argument) { return argument.ends_with(".json"); }

Result<Subject> open_saved(const std::string& saved, std::span<const std::string> files, const ReportOptions& report,
                           AfterBug after_bug) {
  const auto text = read_text_file(saved);
  if (!text) return text.error();
  Subject subject;
  Ticket ticket;
  if (is_trace_text(*text)) {
    auto trace = parse_trace(*text, saved);
    if (!trace) return trace.error();
    ticket.front_end = trace->front_end;
    ticket.program = trace->program;
    ticket.events_max = trace->events_max;
    subject.trace = std::move(*trace);
  } else {
    auto parsed = parse_ticket(*text, saved);
    if (!parsed) return parsed.error();
    ticket = std::move(*parsed);
    for (const TicketStep& step : ticket.schedule)
      subject.steps.push_back({.actor = step.actor, .alternative = step.alternative, .kind = step.kind});
    subject.bug = ticket.bug;
  }
  auto noted = parse_ticket_program(ticket, saved);
  if (!noted) return noted.error();
  subject.noted = std::move(*noted);
  subject.events_max = ticket.events_max;
  subject.options = erlang_options(subject.noted);
  auto program = erlang::Program::open(options_to_reopen(subject.noted, files));
  if (!program) return program.error();
  subject.program = std::move(*program);
  show_compiler_messages(subject.program->compiler_messages(), report.colour);
  const auto name = erlang::TestName::parse(subject.noted.test);
  if (!name || name->function.empty() ||
      !chosen_tests(*subject.program, {subject.noted.test}, subject.options.machine))
    return Error{saved + ": its test is " + subject.noted.test + ", which this program does not have."};
  if (Status started = start_system(subject, *name, after_bug); !started) return started.error();
  return subject;
}

Result<Subject> open_subject(const SubjectOptions& options, AfterBug after_bug) {
  const std::vector<std::string>& files = options.program.files;
  if (files.empty() || !is_saved_file(files.front())) return open_test(options, after_bug);
  if (!options.program.tests.empty())
    return Error{files.front() + " says which test it is about; leave out -t."};
  return open_saved(files.front(), std::span(files).subspan(1), options.report, after_bug);
}

std::unique_ptr<Observation> observe(const Subject& subject, const ReportOptions& report) {
  std::unique_ptr<Observation> observation;
  if (subject.trace) {
    FollowedTrace followed = follow_trace(*subject.system, *subject.trace, subject.events_max);
    if (followed.divergence)
      remark(fmt::format("the trace could be followed for {} of its {} events: then {}; from there on nobody is preempted",
                         followed.events, subject.trace->length(), followed.divergence->what),
             report.colour);
    observation = std::move(followed.observation);
    observation->run({});
  } else {
    observation = std::make_unique<Observation>(*subject.system, subject.events_max);
    observation->run(subject.steps);
  }
  const Recording& recording = observation->finish();
  if (subject.bug && !(recording.bug && same_bug_elsewhere(*recording.bug, *subject.bug)))
    remark("the bug of this ticket does not happen any more; see 'ravel replay'", report.colour);
  return observation;
}

std::string outcome_text(const Recording& recording) {
  if (recording.bug) return recording.bug->kind;
  if (recording.refusal) return "unsupported";
  return recording.outcome == Outcome::kFinished ? "finished" : "running";
}

Trace full_trace(const Subject& subject, const Observation& observation) {
  Trace trace = trace_of(observation, subject.events_max);
  trace.front_end = kErlangFrontEnd;
  trace.program = print_ticket_program(subject.noted);
  trace.outcome = outcome_text(observation.recording());
  return trace;
}

}  // namespace ravel
