#include "cli/subject.h"

#include <fmt/format.h>

#include "cli/files.h"
#include "cli/given_options.h"
#include "cli/messages.h"
#include "cli/open_program.h"
#include "cli/threads_tests.h"
#include "engine/ticket.h"
#include "threads/remote/launch.h"

namespace ravel {

namespace {

Result<Subject> start_erlang(ErlangSubject part, const erlang::TestName& test, std::uint64_t events_max, AfterBug after_bug) {
  part.options.machine.notes_messages = true;
  if (after_bug == AfterBug::kKeepGoing) part.options.after_failure = erlang::ErlangOptions::AfterFailure::kGoOnAndTell;
  auto system = erlang::ErlangSystem::start(*part.program, test, part.options);
  if (!system) return system.error();
  const std::string name = part.noted.test, program = print_ticket_program(part.noted);
  return Subject{.front_end = kErlangFrontEnd, .test = name, .program = program, .of = std::move(part), .system = std::move(*system),
                 .events_max = events_max};
}

Result<Subject> start_threads(ThreadsProgram noted, std::uint64_t events_max) {
  auto system = threads::RemoteSystem::start(noted.call, noted.configuration);
  if (!system) return system.error();
  return Subject{.front_end = kThreadsFrontEnd, .test = report_name(noted.call), .program = print_threads_program(noted),
                 .of = ThreadsSubject{.noted = noted, .system = system->get()}, .system = std::move(*system), .events_max = events_max};
}

template <class Tests>
Error too_many(const Tests& tests, const std::string& first) {
  return Error{"this is about one test, but here are " + std::to_string(tests.size()) + ". Name one: -t " + first + "."};
}

// Which accesses to memory are operations is found as a search finds it: those for which a race was seen. Then they are when the
// execution is run again, which may show others.
Result<Subject> open_threads_test(const SubjectOptions& options) {
  if (Status fitting = refuse_for_threads(given_for_erlang(options.program, options.model, options.properties)); !fitting)
    return fitting.error();
  auto call = program_call(options.program);
  if (!call) return call.error();
  const auto tests = chosen_threads_tests(*call, options.program.tests);
  if (!tests) return tests.error();
  if (tests->size() > 1) return too_many(*tests, option_name(tests->front().test));
  call->test = tests->front().test;
  threads::Configuration configuration;
  configuration.follows_deadlines = options.model.time == erlang::TimePolicy::kDeadlines;
  configuration.passes_when_idle = options.model.time == erlang::TimePolicy::kIdle;
  for (;;) {
    auto subject = start_threads(note_threads_program(*call, configuration), options.events_max);
    if (!subject) return subject.error();
    threads::RemoteSystem& system = *std::get<ThreadsSubject>(subject->of).system;
    Observation(system, options.events_max).run({});
    const std::vector<std::uint64_t> words = system.findings().racy_words;
    if (words.empty()) return subject;
    configuration.tracked.insert(configuration.tracked.end(), words.begin(), words.end());
  }
}

Result<Subject> open_test(const SubjectOptions& options, AfterBug after_bug) {
  if (is_threads_program(options.program.files)) return open_threads_test(options);
  ErlangSubject part;
  auto program = open_program(options.program, options.report);
  if (!program) return program.error();
  part.program = std::move(*program);
  part.options.properties = options.properties;
  if (Status fitting = set_model(options.model, part.options.machine); !fitting) return fitting.error();
  const auto tests = chosen_tests(*part.program, options.program.tests, part.options.machine);
  if (!tests) return tests.error();
  if (tests->size() > 1) return too_many(*tests, tests->front().name.to_string());
  part.noted = note_program(*part.program, tests->front().name, part.options);
  return start_erlang(std::move(part), tests->front().name, options.events_max, after_bug);
}

Result<Subject> open_saved_erlang(const Ticket& ticket, const std::string& saved, std::span<const std::string> files,
                                  const ReportOptions& report, AfterBug after_bug) {
  auto noted = parse_ticket_program(ticket, saved);
  if (!noted) return noted.error();
  ErlangSubject part;
  part.noted = std::move(*noted);
  part.options = erlang_options(part.noted);
  auto program = erlang::Program::open(options_to_reopen(part.noted, files));
  if (!program) return program.error();
  part.program = std::move(*program);
  show_compiler_messages(part.program->compiler_messages(), report.colour);
  const auto name = erlang::TestName::parse(part.noted.test);
  if (!name || name->function.empty() || !chosen_tests(*part.program, {part.noted.test}, part.options.machine))
    return Error{saved + ": its test is " + part.noted.test + ", which this program does not have."};
  const std::vector<std::string> changed = changed_modules(part.noted, *part.program);
  auto subject = start_erlang(std::move(part), *name, ticket.events_max, after_bug);
  if (subject) subject->changed = changed;
  return subject;
}

Result<Subject> open_saved_threads(const Ticket& ticket, const std::string& saved, std::span<const std::string> files) {
  auto noted = parse_threads_program(ticket, saved);
  if (!noted) return noted.error();
  if (Status taken = take_noted_input(*noted, saved); !taken) return taken.error();
  const threads::ProgramCall call = call_again(*noted, {files.begin(), files.end()});
  if (!threads::is_executable_file(call.path))
    return Error{call.path + ": this is not an executable file. Build the program again, or name it behind " + saved + "."};
  const bool is_changed = has_changed(*noted, call);
  auto subject = start_threads(note_threads_program(call, noted->configuration), ticket.events_max);
  if (subject && is_changed) subject->changed = {call.path};
  return subject;
}

}  // namespace

bool is_saved_file(const std::string& argument) { return argument.ends_with(".json"); }

bool is_saved_of_threads(const std::string& file) {
  const auto text = read_text_file(file);
  if (!text) return false;
  if (is_trace_text(*text)) {
    const auto trace = parse_trace(*text, file);
    return trace.ok() && trace->front_end == kThreadsFrontEnd;
  }
  const auto ticket = parse_ticket(*text, file);
  return ticket.ok() && ticket->front_end == kThreadsFrontEnd;
}

Result<Subject> open_saved(const std::string& saved, std::span<const std::string> files, const ReportOptions& report,
                           AfterBug after_bug) {
  const auto text = read_text_file(saved);
  if (!text) return text.error();
  std::optional<Trace> trace;
  std::vector<NamedStep> steps;
  Ticket ticket;
  if (is_trace_text(*text)) {
    auto parsed = parse_trace(*text, saved);
    if (!parsed) return parsed.error();
    trace = std::move(*parsed);
    ticket.front_end = trace->front_end;
    ticket.program = trace->program;
    ticket.events_max = trace->events_max;
  } else {
    auto parsed = parse_ticket(*text, saved);
    if (!parsed) return parsed.error();
    ticket = std::move(*parsed);
    for (const TicketStep& step : ticket.schedule)
      steps.push_back({.actor = step.actor, .alternative = step.alternative, .kind = step.kind});
  }
  auto subject = ticket.front_end == kThreadsFrontEnd ? open_saved_threads(ticket, saved, files)
                                                      : open_saved_erlang(ticket, saved, files, report, after_bug);
  if (!subject) return subject.error();
  subject->steps = std::move(steps);
  if (!trace) subject->bug = ticket.bug;
  subject->trace = std::move(trace);
  return subject;
}

Result<Subject> open_subject(const SubjectOptions& options, AfterBug after_bug) {
  const std::vector<std::string>& files = options.program.files;
  if (files.empty() || !is_saved_file(files.front())) return open_test(options, after_bug);
  if (!options.program.tests.empty())
    return Error{files.front() + " says which test it is about; leave out -t."};
  std::vector<GivenOption> answered = given_for_erlang(options.program, options.model, options.properties);
  answered.push_back({"--time", options.model.time != ModelOptions().time});
  answered.push_back({"--events", options.events_max != SubjectOptions().events_max});
  answered.push_back({"--", !options.program.program_arguments.empty()});
  if (Status fitting = refuse_for_saved(answered, files.front()); !fitting) return fitting.error();
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
  trace.front_end = subject.front_end;
  trace.program = subject.program;
  trace.outcome = outcome_text(observation.recording());
  return trace;
}

}  // namespace ravel
