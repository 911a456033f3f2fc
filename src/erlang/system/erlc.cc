#include "erlang/system/erlc.h"

#include <filesystem>

#include "erlang/system/run_program.h"

namespace ravel::erlang {

namespace {

// Absolute, so that no name looks like an option, and the source can be found later. But erlc takes what
// begins like the present folder for a file in it, /a/bc.erl in /a/b for c.erl (erl_compile of OTP).
std::string path_for_erlc(const std::string& file) {
  const std::filesystem::path path = std::filesystem::absolute(file), here = std::filesystem::current_path();
  const bool begins_alike = path.native().starts_with(here.native());
  const bool is_inside = here == "/" || path.native().starts_with(here.native() + "/");
  return begins_alike && !is_inside ? path.lexically_relative(here) : path;
}

}  // namespace

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
    command.push_back(path_for_erlc(file));
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
