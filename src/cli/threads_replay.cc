// ravel replay of tickets of programs of C and C++.
#include <cstdio>

#include "cli/messages.h"
#include "cli/story_options.h"
#include "cli/threads_check.h"
#include "cli/threads_program.h"
#include "cli/threads_tests.h"
#include "engine/replay.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "threads/remote/launch.h"
#include "threads/remote/remote_system.h"

namespace ravel {

Result<int> replay_threads(const Ticket& ticket, const ReplayOptions& options) {
  const auto noted = parse_threads_program(ticket, options.ticket);
  if (!noted) return noted.error();
  const threads::ProgramCall call = call_again(*noted, options.files);
  if (!threads::is_executable_file(call.path))
    return Error{call.path + ": this is not an executable file. Build the program again, or name it behind the ticket."};
  auto system = threads::RemoteSystem::start(call, noted->configuration);
  if (!system) return system.error();
  const Replay replayed = replay(**system, ticket);
  if (options.report.quiet == Quiet::kNo) {
    const Colour colour = colour_for(options.report.colour, stdout);
    const std::string test = call.test.kind == threads::TestKind::kMain ? "" : " " + call.test.name;
    std::string text = paint(call.path + test, Ink::kBold, colour) + "\n\n";
    if (has_changed(*noted, call)) text += "Since this ticket was written the program has changed.\n";
    text += describe_replay(replayed, ticket.bug, story_options(replayed.recording, colour));
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }
  if (replayed.recording.refusal) std::fputs(describe_refusal(*replayed.recording.refusal).c_str(), stderr);
  return exit_status(verdict_of(replayed));
}

}  // namespace ravel
