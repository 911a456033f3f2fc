#include "check/subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/ticket.h"
#include "host/files.h"
#include "host/messages.h"
#include "story/told_execution.h"

namespace ravel {

namespace {

// What a saved file says itself: the program and how it is run.
Status refuse_for_saved(const SubjectOptions& options, const std::string& saved) {
  const auto refuse = [&](const std::string& option) {
    return Error{option + " would change what " + saved + " says. Leave it out."};
  };
  for (const GivenOption& given : options.given)
    if (!given.owner.empty() || given.name == "--time" || given.name == "--events" ||
        given.name == "--ignore")
      return refuse(given.name);
  if (!options.program.program_arguments.empty()) return refuse("--");
  return Success{};
}

}  // namespace

bool is_saved_file(const std::string& argument) { return argument.ends_with(".json"); }

Result<Subject> open_saved(const FrontEnds& front_ends, const std::string& saved,
                           std::span<const std::string> files, const ReportOptions& report, Purpose purpose) {
  const auto text = read_text_file(saved);
  if (!text) return text.error();
  Subject subject;
  Ticket noted;
  if (is_trace_text(*text)) {
    auto trace = parse_trace(*text, saved);
    if (!trace) return trace.error();
    noted.front_end = trace->front_end;
    noted.program = trace->program;
    noted.events_max = trace->events_max;
    subject.trace = std::move(*trace);
  } else {
    auto ticket = parse_ticket(*text, saved);
    if (!ticket) return ticket.error();
    for (const NotedStep& noted_step : ticket->schedule) subject.steps.push_back(noted_step.step);
    noted = *ticket;
    subject.ticket = std::move(*ticket);
  }
  const auto front_end = front_ends.named(noted.front_end, saved);
  if (!front_end) return front_end.error();
  // A trace is followed by what its receives could take.
  if (subject.trace && purpose == Purpose::kReplay) purpose = Purpose::kShow;
  auto test = (*front_end)->reopen(noted, saved, files, report, purpose);
  if (!test) return test.error();
  subject.front_end = *front_end;
  subject.test = std::move(*test);
  // An execution without an end is shown once round.
  subject.events_max = noted.lasso ? noted.schedule.size() : noted.events_max;
  return subject;
}

Result<Subject> open_subject(const FrontEnds& front_ends, const SubjectOptions& options, Purpose purpose) {
  const std::vector<std::string>& files = options.program.files;
  if (!files.empty() && is_saved_file(files.front())) {
    if (!options.program.tests.empty())
      return Error{files.front() + " says which test it is about; leave out -t."};
    if (Status fitting = refuse_for_saved(options, files.front()); !fitting) return fitting.error();
    return open_saved(front_ends, files.front(), std::span(files).subspan(1), options.report, purpose);
  }
  const FrontEnd& front_end = front_ends.of(files);
  if (Status fitting = front_ends.check_given(front_end, options); !fitting) return fitting.error();
  auto test = front_end.open_test(options, purpose);
  if (!test) return test.error();
  Subject subject;
  subject.front_end = &front_end;
  subject.test = std::move(*test);
  subject.events_max = options.events_max;
  return subject;
}

std::unique_ptr<Observation> observe(const Subject& subject, const ReportOptions& report) {
  std::unique_ptr<Observation> observation;
  if (subject.trace) {
    FollowedTrace followed = follow_trace(subject.system(), *subject.trace, subject.events_max);
    if (followed.divergence)
      remark(fmt::format("the trace could be followed for {} of its {} events: then {}; from there on nobody "
                         "is preempted",
                         followed.events, subject.trace->length(), followed.divergence->what),
             report.colour);
    observation = std::move(followed.observation);
    observation->run({});
  } else {
    observation = std::make_unique<Observation>(subject.system(), subject.events_max);
    observation->run(subject.steps);
  }
  const Recording& recording = observation->finish();
  if (subject.ticket && subject.ticket->lasso)
    remark("the execution of this ticket goes on for ever; it is shown once round", report.colour);
  else if (subject.ticket && !(recording.bug && same_bug_elsewhere(*recording.bug, subject.ticket->bug)))
    remark("the bug of this ticket does not happen any more; see 'ravel replay'", report.colour);
  return observation;
}

void note_subject(const Subject& subject, Trace& trace) {
  trace.front_end = std::string(subject.front_end->name());
  trace.program = subject.test->note();
}

Trace full_trace(const Subject& subject, const Observation& observation) {
  Trace trace = trace_of(observation, subject.events_max);
  note_subject(subject, trace);
  trace.outcome = outcome_text(observation.recording());
  return trace;
}

}  // namespace ravel
