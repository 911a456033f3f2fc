// ravel tests: lists the tests of a program.
#include <cstdio>

#include "cli/commands.h"
#include "cli/messages.h"

namespace ravel {

int tests_command(const ProgramArguments& arguments, const ReportOptions& report) {
  const auto options = program_options(arguments);
  if (!options) return complain(options.error().message);
  const auto program = erlang::Program::open(*options);
  if (!program) return complain(program.error().message);
  show_compiler_messages((*program)->compiler_messages(), report.colour);
  const std::vector<erlang::TestName> tests = (*program)->tests();
  for (const erlang::TestName& test : tests) std::puts(test.to_string().c_str());
  if (tests.empty())
    remark("no module exports a function NAME_test/0; any function of arity 0 can be checked with -t "
           "MODULE:FUNCTION",
           report.colour);
  return 0;
}

}  // namespace ravel
