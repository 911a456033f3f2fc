// ravel replay: runs the schedule of a ticket again, also on a program that has changed since.
#include <fmt/format.h>

#include <cstdio>

#include "cli/bug_explainer.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/story_options.h"
#include "cli/subject.h"
#include "cli/threads_check.h"
#include "cli/threads_program.h"
#include "cli/ticket_program.h"
#include "engine/replay.h"
#include "report/race_text.h"
#include "report/summary.h"
#include "report/verdict.h"

namespace ravel {

namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Result<int> replay_trace(const std::string& file, std::span<const std::string> files, const ReportOptions& report) {
  const auto subject = open_saved(file, files, report);
  if (!subject) return subject.error();
  if (!subject->trace) return Error{file + ": this is a ticket, not a trace. Leave out --trace."};
  FollowedTrace followed = follow_trace(*subject->system, *subject->trace, subject->events_max);
  const bool went_on = followed.observation->running();
  followed.observation->run({});
  const Recording& recording = followed.observation->finish();
  const Colour colour = colour_for(report.colour, stdout);
  if (report.quiet == Quiet::kNo) {
    std::string text = paint(subject->test, Ink::kBold, colour) + "\n\n";
    if (!subject->changed.empty())
      text += fmt::format("Since this trace was written {} {} changed.\n", list_of(subject->changed),
                          subject->changed.size() == 1 ? "has" : "have");
    if (followed.divergence) {
      text += fmt::format("The trace could be followed for {} of its {} events: then {}. From there on nobody was preempted.\n",
                          followed.events, subject->trace->length(), followed.divergence->what);
    } else {
      text += fmt::format("The trace was followed: {}.{}\n", counted(followed.events, "event"),
                          went_on ? " The execution went on behind it, and nobody was preempted." : "");
    }
    std::fputs((text + describe_execution(recording, story_options(recording, colour))).c_str(), stdout);
    std::fflush(stdout);
  }
  if (recording.refusal) {
    std::fputs(describe_refusal(*recording.refusal).c_str(), stderr);
    return exit_status(Verdict::kUnsupported);
  }
  return exit_status(recording.bug ? Verdict::kBug : Verdict::kPass);
}

Result<int> replay_ticket(const ReplayOptions& options) {
  if (options.debugs && (!options.trace.empty() || options.ticket.empty())) return Error{"--gdb is for a ticket of a program of C or C++."};
  if (!options.trace.empty()) {
    std::vector<std::string> files = options.files;
    if (!options.ticket.empty()) files.insert(files.begin(), options.ticket);
    return replay_trace(options.trace, files, options.report);
  }
  if (options.ticket.empty()) return Error{"replay needs a ticket or a trace. See ravel replay --help."};
  const auto text = read_text_file(options.ticket);
  if (!text) return text.error();
  if (is_trace_text(*text)) return replay_trace(options.ticket, options.files, options.report);
  const auto ticket = parse_ticket(*text, options.ticket);
  if (!ticket) return ticket.error();
  if (options.debugs && ticket->front_end != kThreadsFrontEnd)
    return Error{"--gdb is for tickets of programs of C and C++; this one is of a test of Erlang."};
  if (ticket->front_end == kThreadsFrontEnd) return replay_threads(*ticket, options);
  const auto noted = parse_ticket_program(*ticket, options.ticket);
  if (!noted) return noted.error();

  const auto program = erlang::Program::open(options_to_reopen(*noted, options.files));
  if (!program) return program.error();
  show_compiler_messages((*program)->compiler_messages(), options.report.colour);
  // The ticket's own test is run, even if its name stands for several by now: it may be of a group whose setup failed.
  const auto name = erlang::TestName::parse(noted->test);
  if (!name || name->function.empty() || !chosen_tests(**program, {noted->test}, erlang_options(*noted).machine))
    return Error{options.ticket + ": this ticket is of another program: its test is " + noted->test +
                 ", which is not among the tests and exported functions of " + list_of((*program)->options().files) +
                 "."};
  const auto system = erlang::ErlangSystem::start(**program, *name, erlang_options(*noted));
  if (!system) return system.error();

  const Replay replayed = replay(**system, *ticket);
  const Colour colour = colour_for(options.report.colour, stdout);
  std::string report;
  if (options.report.quiet == Quiet::kNo) {
    report = paint(noted->test, Ink::kBold, colour) + "\n\n";
    if (const auto changed = changed_modules(*noted, **program); !changed.empty())
      report += fmt::format("Since this ticket was written {} {} changed.\n", list_of(changed),
                            changed.size() == 1 ? "has" : "have");
    report += describe_replay(replayed, ticket->bug, story_options(replayed.recording, colour));
    BugExplainer explainer(**program, *name, erlang_options(*noted), ticket->events_max);
    if (const auto explanation = explainer.explain(replayed.recording)) report += describe_explanation(*explanation, colour);
  }
  std::fputs(report.c_str(), stdout);
  std::fflush(stdout);
  if (replayed.recording.refusal) std::fputs(describe_refusal(*replayed.recording.refusal).c_str(), stderr);
  return exit_status(verdict_of(replayed));
}

}  // namespace

int replay_command(const ReplayOptions& options) {
  const Result<int> status = replay_ticket(options);
  return status ? *status : complain(status.error().message);
}

}  // namespace ravel
