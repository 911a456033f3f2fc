#include "cli/open_program.h"

#include "cli/given_options.h"
#include "cli/messages.h"

namespace ravel {

Result<std::unique_ptr<erlang::Program>> open_program(const ProgramArguments& arguments, const ReportOptions& report) {
  const GivenOption of_threads[] = {{"--", !arguments.program_arguments.empty()}};
  if (Status fitting = refuse_for_erlang(of_threads); !fitting) return fitting.error();
  std::vector<std::string> remarks;
  const auto options = program_options(arguments, remarks);
  if (!options) return options.error();
  for (const std::string& text : remarks) remark(text, report.colour);
  auto program = erlang::Program::open(*options);
  if (program) show_compiler_messages((*program)->compiler_messages(), report.colour);
  return program;
}

}  // namespace ravel
