#include "front_ends/threads/debug.h"

#include <signal.h>

#include <cstdio>

#include "engine/replay.h"
#include "report/verdict.h"
#include "threads/remote/debugger.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

// gdb has the terminal until it is left. Its stops are inside replay(), or after it where it is no single
// thread that fails.
Result<int> debug(const Ticket& ticket, const ProgramNote& noted, const ProgramCall& call) {
  if (noted.input && !noted.input->bytes)
    return Error{
        "--gdb: the program's standard input is too large to be kept in the ticket, and that of this command "
        "is for gdb."};
  if (Status taken = take_noted_input(noted, call, "--gdb"); !taken) return taken.error();
  const auto debugger = debugger_command(noted.input ? call.share->input.file() : "/dev/null");
  if (!debugger) return debugger.error();
  signal(SIGINT, SIG_IGN);  // the signal is for gdb
  std::printf("%s is replayed under gdb, up to: %s%s%s\n", call.path.c_str(), ticket.bug.message.c_str(),
              ticket.bug.actor.empty() ? "" : ", in ", ticket.bug.actor.c_str());
  std::fflush(stdout);
  auto system = RemoteSystem::start(call, noted.configuration, *debugger);
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
  // gdb keeps the trap of Google Test for itself, so that the execution goes on after it.
  if (call.test.kind == TestKind::kGoogleTest && ticket.bug.kind == "assertion")
    return exit_status(Verdict::kBug);
  if (replayed.outcome != ReplayOutcome::kSameBug)
    std::printf("The bug of the ticket did not happen again. 'ravel replay' without --gdb tells more.\n");
  return exit_status(verdict_of(replayed));
}

}  // namespace ravel::threads
