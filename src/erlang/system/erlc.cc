#include "erlang/system/erlc.h"

#include <filesystem>

#include "erlang/system/run_program.h"

namespace ravel::erlang {

Result<CompiledFiles> compile_erlang(std::span<const std::string> files, const ErlcOptions& options) {
  namespace fs = std::filesystem;
  std::vector<std::string> command = {options.program, "+debug_info", "-o", options.output_folder};
  for (const std::string& folder : options.include_folders) command.insert(command.end(), {"-I", folder});
  for (const std::string& folder : options.code_folders) command.insert(command.end(), {"-pa", folder});
  command.insert(command.end(), {"-pa", options.output_folder});
  for (const auto& [name, value] : options.defines) {
    command.push_back("-D" + name + (value.empty() ? "" : "=" + value));
  }

  command.insert(command.end(), options.further_options.begin(), options.further_options.end());

  CompiledFiles compiled;
  for (const std::string& file : files) {
    std::error_code problem;
    if (!fs::is_regular_file(file, problem)) return Error{file + ": no such file. Check its name."};
    command.push_back(
        fs::absolute(file));  // so that no name looks like an option, and the source can be found later
    compiled.beams.push_back(fs::path(options.output_folder) / (fs::path(file).stem().string() + ".beam"));
  }

  Result<ProgramRun> run = run_program(command);
  if (!run) {
    return Error{run.error().message +
                 " It compiles .erl files: install Erlang/OTP (on Debian and Ubuntu: the package "
                 "erlang-base), or give "
                 "compiled .beam files."};
  }
  if (run->exit_status != 0) {
    if (!run->output.empty()) return Error{std::move(run->output)};
    return Error{options.program + ": failed with status " + std::to_string(run->exit_status) +
                 " and said nothing."};
  }
  for (const std::string& beam : compiled.beams) {
    if (!fs::exists(beam)) {
      return Error{beam + ": erlc did not write this file, but did not say why. It printed: " + run->output};
    }
  }
  compiled.messages = std::move(run->output);
  return compiled;
}

}  // namespace ravel::erlang
