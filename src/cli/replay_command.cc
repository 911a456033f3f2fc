// ravel replay: runs the schedule of a ticket again, also on a program that has changed since.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "check/replay_subject.h"
#include "check/subject.h"
#include "cli/commands.h"
#include "host/files.h"
#include "report/race_text.h"
#include "report/summary.h"
#include "report/verdict.h"

namespace ravel {

namespace {

std::string heading(const Subject& subject, const char* what, Colour colour) {
  std::string text = paint(subject.test->title(), Ink::kBold, colour) + "\n\n";
  const std::vector<std::string> changed = subject.test->changed();
  if (!changed.empty())
    text += fmt::format("Since this {} was written {} {} changed.\n", what, fmt::join(changed, ", "),
                        changed.size() == 1 ? "has" : "have");
  return text;
}

void print_refusal(const Recording& recording) {
  std::fflush(stdout);
  if (recording.refusal) std::fputs(describe_refusal(*recording.refusal).c_str(), stderr);
}

ToldSteps tell(const Subject& subject, const Recording& recording, const std::optional<Explanation>& why,
               const ReplayOptions& options) {
  const StoryLook look{.colour = colour_for(options.report.colour, stdout),
                       .columns = terminal_columns(stdout)};
  return {.text = tell_recording(*subject.front_end, &subject.system(), recording, why, options.story, look),
          .colour = look.colour};
}

Result<int> replay_trace(const Subject& subject, const ReplayOptions& options) {
  const ReportOptions& report = options.report;
  FollowedTrace followed = follow_trace(subject.system(), *subject.trace, subject.events_max);
  const bool went_on = followed.observation->running();
  followed.observation->run({});
  const Recording& recording = followed.observation->finish();
  const Colour colour = colour_for(report.colour, stdout);
  if (report.quiet == Quiet::kNo) {
    std::string text = heading(subject, "trace", colour);
    if (followed.divergence) {
      text += fmt::format(
          "The trace could be followed for {} of its {} events: then {}. From there on nobody was "
          "preempted.\n",
          followed.events, subject.trace->length(), followed.divergence->what);
    } else {
      text += fmt::format("The trace was followed: {}.{}\n", counted(followed.events, "event"),
                          went_on ? " The execution went on after it, and nobody was preempted." : "");
    }
    text += describe_execution(recording, tell(subject, recording, std::nullopt, options));
    std::fputs(text.c_str(), stdout);
  }
  print_refusal(recording);
  if (recording.refusal) return exit_status(Verdict::kUnsupported);
  return exit_status(recording.bug ? Verdict::kBug : Verdict::kPass);
}

Result<int> replay_ticket(const Subject& subject, const std::string& saved, const ReplayOptions& options) {
  const ReportOptions& report = options.report;
  const Result<Replay> followed = replay_subject(subject, saved);
  if (!followed) return followed.error();
  const Replay& replayed = *followed;
  if (report.quiet == Quiet::kNo) {
    const Colour colour = colour_for(report.colour, stdout);
    std::string text = heading(subject, "ticket", colour);
    const auto explanation = subject.test->explain(replayed.recording, subject.events_max);
    text += describe_replay(replayed, subject.ticket->bug,
                            tell(subject, replayed.recording, explanation, options));
    if (explanation) text += describe_explanation(*explanation, colour);
    std::fputs(text.c_str(), stdout);
  }
  print_refusal(replayed.recording);
  return exit_status(verdict_of(replayed));
}

}  // namespace

Result<int> replay_command(const FrontEnds& front_ends, const ReplayOptions& options) {
  if (options.debugs && (!options.trace.empty() || options.ticket.empty()))
    return Error{"--gdb is for a ticket of a program of C or C++."};
  std::string saved = options.ticket;
  std::vector<std::string> files = options.files;
  if (!options.trace.empty()) {
    saved = options.trace;
    if (!options.ticket.empty()) files.insert(files.begin(), options.ticket);
  }
  if (saved.empty()) return Error{"replay needs a ticket or a trace. See ravel replay --help."};
  if (options.debugs) {
    const auto text = read_text_file(saved);
    const auto ticket = text ? parse_ticket(*text, saved) : Result<Ticket>(text.error());
    if (!ticket) return ticket.error();
    const auto front_end = front_ends.named(ticket->front_end, saved);
    return front_end ? (*front_end)->debug(*ticket, saved, files) : front_end.error();
  }
  const Purpose purpose = options.report.quiet == Quiet::kNo ? Purpose::kShow : Purpose::kReplay;
  const auto subject = open_saved(front_ends, saved, files, options.report, purpose);
  if (!subject) return subject.error();
  if (subject->trace) return replay_trace(*subject, options);
  if (!options.trace.empty()) return Error{saved + ": this is a ticket, not a trace. Leave out --trace."};
  return replay_ticket(*subject, saved, options);
}

}  // namespace ravel
