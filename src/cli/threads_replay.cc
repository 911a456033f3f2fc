// ravel replay of tickets of programs of C and C++.
#include <signal.h>

#include <cstdio>

#include "cli/messages.h"
#include "cli/story_options.h"
#include "cli/threads_check.h"
#include "cli/threads_explainer.h"
#include "cli/threads_program.h"
#include "cli/threads_tests.h"
#include "engine/replay.h"
#include "report/race_text.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "threads/remote/debugger.h"
#include "threads/remote/launch.h"
#include "threads/remote/remote_system.h"
#include "threads/remote/standard_input.h"

namespace ravel {

namespace {

// gdb has the terminal until it is left. Its stops are inside replay(), or behind it where it is no single thread that fails.
Result<int> debug_threads(const Ticket& ticket, const ThreadsProgram& noted, const threads::ProgramCall& call) {
  if (noted.input && !noted.input->bytes)
    return Error{"--gdb: the program's standard input is too large to be kept in the ticket, and that of this command is for gdb."};
  if (Status taken = take_noted_input(noted, "--gdb"); !taken) return taken.error();
  const auto debugger = threads::debugger_command(noted.input ? threads::standard_input_file() : "/dev/null");
  if (!debugger) return debugger.error();
  signal(SIGINT, SIG_IGN);  // it is for gdb
  std::printf("%s is replayed under gdb, up to: %s%s%s\n", call.path.c_str(), ticket.bug.message.c_str(), ticket.bug.actor.empty() ? "" : ", in ",
              ticket.bug.actor.c_str());
  std::fflush(stdout);
  auto system = threads::RemoteSystem::start(call, noted.configuration, *debugger);
  if (!system) return Error{"--gdb: gdb was left before the program began, or could not start it."};
  const Replay replayed = replay(**system, ticket);
  if (replayed.recording.bug && replayed.recording.bug->kind == "deadlock") {
    for (const ActorName& actor : (*system)->actors()) (*system)->show(actor);
  } else if (replayed.recording.bug && replayed.recording.bug->kind == "event_bound") {
    (*system)->show(replayed.recording.events.back().actor);
  }
  // What comes when gdb was left before the end tells nothing.
  const bool is_gone = (*system)->is_gone();
  system->reset();
  if (is_gone) return exit_status(Verdict::kPass);
  // gdb keeps the trap of Google Test for itself, so that the execution goes on behind it.
  if (call.test.kind == threads::TestKind::kGoogleTest && ticket.bug.kind == "assertion") return exit_status(Verdict::kBug);
  if (replayed.outcome != ReplayOutcome::kSameBug) std::printf("The bug of the ticket did not happen again. 'ravel replay' without --gdb tells more.\n");
  return exit_status(verdict_of(replayed));
}

}  // namespace

Result<int> replay_threads(const Ticket& ticket, const ReplayOptions& options) {
  const auto noted = parse_threads_program(ticket, options.ticket);
  if (!noted) return noted.error();
  const threads::ProgramCall call = call_again(*noted, options.files);
  if (!threads::is_executable_file(call.path))
    return Error{call.path + ": this is not an executable file. Build the program again, or name it behind the ticket."};
  if (options.debugs) return debug_threads(ticket, *noted, call);
  if (Status taken = take_noted_input(*noted, options.ticket); !taken) return taken.error();
  auto system = threads::RemoteSystem::start(call, noted->configuration);
  if (!system) return system.error();
  const Replay replayed = replay(**system, ticket);
  if (options.report.quiet == Quiet::kNo) {
    const Colour colour = colour_for(options.report.colour, stdout);
    const std::string test = call.test.kind == threads::TestKind::kMain ? "" : " " + call.test.name;
    std::string text = paint(call.path + test, Ink::kBold, colour) + "\n\n";
    if (has_changed(*noted, call)) text += "Since this ticket was written the program has changed.\n";
    text += describe_replay(replayed, ticket.bug, story_options(replayed.recording, colour));
    if (const auto explanation = explain_threads_bug(**system, replayed.recording, ticket.events_max)) text += describe_explanation(*explanation, colour);
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }
  if (replayed.recording.refusal) std::fputs(describe_refusal(*replayed.recording.refusal).c_str(), stderr);
  return exit_status(verdict_of(replayed));
}

}  // namespace ravel
