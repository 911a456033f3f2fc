// ravel tests: lists the tests of a program.
#include <cstdio>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/open_program.h"

namespace ravel {

int tests_command(const ProgramArguments& arguments, const ModelOptions& model, const ReportOptions& report) {
  const auto program = open_program(arguments, report);
  if (!program) return complain(program.error().message);
  erlang::MachineOptions machine;
  if (Status fitting = set_model(model, machine); !fitting) return complain(fitting.error().message);
  const auto tests = all_tests(**program, machine);
  if (!tests) return complain(tests.error().message);
  for (const erlang::TestCase& test : *tests) {
    std::string line = test.name.to_string();
    if (!test.title.empty()) line += "  " + test.title;
    std::puts(line.c_str());
  }
  if (tests->empty())
    remark("no module exports a function NAME_test/0 or NAME_test_/0; any function of arity 0 can be checked with -t "
           "MODULE:FUNCTION",
           report.colour);
  return 0;
}

}  // namespace ravel
