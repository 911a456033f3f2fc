#include "front_ends/erlang/run_once.h"

#include <cstdio>
#include <limits>

#include "erlang/system/erlang_system.h"
#include "front_ends/erlang/own_options.h"
#include "front_ends/erlang/program_tests.h"
#include "host/messages.h"
#include "report/summary.h"
#include "report/verdict.h"

namespace ravel::erlang {

namespace {

// What failed, where, and the details, on standard error.
void report_failure(const Bug& bug) {
  std::fflush(stdout);
  std::string text = "ravel: " + (bug.actor.empty() ? "" : bug.actor + ": ") + bug.message;
  const std::string where = place(bug.file, bug.line);
  if (!where.empty()) text += " at " + where;
  text += "\n";
  for (const std::string& line : bug.details) text += "  " + line + "\n";
  std::fputs(text.c_str(), stderr);
}

}  // namespace

Result<int> run_once(const CommandOptions& given) {
  CommandOptions options = given;
  options.time = TimeOption::kDeadlines;
  const auto program = open_program(options);
  if (!program) return program.error();
  ErlangOptions own;
  own.machine.reductions_per_step_max = std::numeric_limits<std::int64_t>::max();
  if (Status fitting = set_model(options, own.machine); !fitting) return fitting.error();
  own.machine.clocks = Clocks::kVirtual;
  const auto tests = chosen_tests(**program, options.program.tests, own.machine);
  if (!tests) return tests.error();
  if (tests->size() > 1)
    return Error{"ravel run runs one test, but here are " + std::to_string(tests->size()) +
                 ". Name one: -t " + tests->front().name.to_string() + "."};

  own.on_output = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
  const auto system = ErlangSystem::start(**program, tests->front().name, own);
  if (!system) return system.error();
  const PlainRun run = (*system)->run_plainly();
  std::fflush(stdout);
  switch (run.outcome) {
    case Outcome::kBug: report_failure(run.bug); return exit_status(Verdict::kBug);
    case Outcome::kUnsupported:
      std::fputs(describe_refusal(run.refusal).c_str(), stderr);
      return exit_status(Verdict::kUnsupported);
    case Outcome::kRunning:
    case Outcome::kFinished: break;
  }
  if (run.waiting > 0 && options.report.quiet == Quiet::kNo)
    remark("the test has ended; " + counted(run.waiting, "process still waits", "processes still wait"),
           options.report.colour);
  return run.halt_status;
}

}  // namespace ravel::erlang
