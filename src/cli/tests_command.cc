// ravel tests: lists the tests of a program.
#include <cstdio>

#include "cli/commands.h"
#include "cli/given_options.h"
#include "cli/messages.h"
#include "cli/open_program.h"
#include "cli/threads_tests.h"

namespace ravel {

namespace {

int list_threads_tests(const ProgramArguments& arguments, const ModelOptions& model) {
  if (Status fitting = refuse_for_threads(given_for_erlang(arguments, model, {})); !fitting)
    return complain(fitting.error().message);
  const auto call = program_call(arguments);
  if (!call) return complain(call.error().message);
  const auto tests = threads::list_tests(*call);
  if (!tests) return complain(tests.error().message);
  for (const threads::ListedTest& test : *tests) {
    const std::string title = test.is_disabled ? "disabled" : test.title;
    std::puts((option_name(test.test) + (title.empty() ? "" : "  " + title)).c_str());
  }
  return 0;
}

}  // namespace

int tests_command(const ProgramArguments& arguments, const ModelOptions& model, const ReportOptions& report) {
  if (is_threads_program(arguments.files)) return list_threads_tests(arguments, model);
  const auto program = open_program(arguments, report);
  if (!program) return complain(program.error().message);
  erlang::MachineOptions machine;
  if (Status fitting = set_model(model, machine); !fitting) return complain(fitting.error().message);
  const auto tests = all_tests(**program, machine);
  if (!tests) return complain(tests.error().message);
  for (const erlang::TestCase& test : *tests) {
    std::string line = test.name.to_string();
    if (!test.title.empty()) line += "  " + test.title;
    if (!test.skipped.empty()) line += "  skipped: " + test.skipped;
    std::puts(line.c_str());
  }
  if (tests->empty())
    remark("no module exports a function NAME_test/0 or NAME_test_/0; any function of arity 0 can be checked with -t "
           "MODULE:FUNCTION",
           report.colour);
  return 0;
}

}  // namespace ravel
