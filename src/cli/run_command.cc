// ravel run: one schedule of one test, its output as it comes, and nothing else if it ends well.
#include <cstdio>
#include <limits>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/open_program.h"
#include "erlang/system/erlang_system.h"
#include "report/summary.h"
#include "report/verdict.h"

namespace ravel {

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

Result<int> run_once(const ProgramArguments& arguments, ModelOptions model, const ReportOptions& report) {
  const auto program = open_program(arguments, report);
  if (!program) return program.error();
  erlang::ErlangOptions erlang_options;
  erlang_options.machine.reductions_per_step_max = std::numeric_limits<std::int64_t>::max();
  model.time = erlang::TimePolicy::kDeadlines;
  model.clocks = erlang::Clocks::kVirtual;
  if (Status fitting = set_model(model, erlang_options.machine); !fitting) return fitting.error();
  const auto tests = chosen_tests(**program, arguments.tests, erlang_options.machine);
  if (!tests) return tests.error();
  if (tests->size() > 1)
    return Error{"ravel run runs one test, but here are " + std::to_string(tests->size()) +
                 ". Name one: -t " + tests->front().name.to_string() + "."};

  erlang_options.on_output = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
  const auto system = erlang::ErlangSystem::start(**program, tests->front().name, erlang_options);
  if (!system) return system.error();
  const erlang::PlainRun run = (*system)->run_plainly();
  std::fflush(stdout);
  switch (run.outcome) {
    case Outcome::kBug: report_failure(run.bug); return exit_status(Verdict::kBug);
    case Outcome::kUnsupported:
      std::fputs(describe_refusal(run.refusal).c_str(), stderr);
      return exit_status(Verdict::kUnsupported);
    case Outcome::kRunning:
    case Outcome::kFinished: break;
  }
  if (run.waiting > 0 && report.quiet == Quiet::kNo)
    remark("the test has ended; " + counted(run.waiting, "process still waits", "processes still wait"),
           report.colour);
  return run.halt_status;
}

}  // namespace

int run_command(const ProgramArguments& arguments, const ModelOptions& model, const ReportOptions& report) {
  const Result<int> status = run_once(arguments, model, report);
  return status ? *status : complain(status.error().message);
}

}  // namespace ravel
