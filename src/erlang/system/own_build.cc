#include "erlang/system/own_build.h"

#include <algorithm>

#include "erlang/system/run_program.h"

namespace ravel::erlang {

namespace {

// The last lines say why a tool has given up.
std::string last_lines(const std::string& text, std::size_t count) {
  std::size_t from = text.find_last_not_of(" \n\r\t");
  if (from == std::string::npos) return "it said nothing";
  const std::size_t end = from + 1;
  for (; count > 0 && from != std::string::npos && from > 0; --count) from = text.rfind('\n', from - 1);
  return text.substr(from == std::string::npos || from == 0 ? 0 : from + 1, end - (from == std::string::npos || from == 0 ? 0 : from + 1));
}

}  // namespace

OwnBuild build_by_own_tool(const std::string& folder, const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& part : command) text += (text.empty() ? "" : " ") + part;
  std::vector<std::string> full = {"env", "-C", folder, "TERM=dumb"};
  full.insert(full.end(), command.begin(), command.end());
  const auto run = run_program(full);
  OwnBuild build;
  if (!run) {
    build.remark = "'" + text + "' could not be started: " + run.error().message;
  } else if (run->exit_status == 0) {
    build.is_done = true;
    build.remark = "the project was not built yet; '" + text + "' has built it.";
  } else if (run->exit_status == 127) {
    build.remark = "'" + text + "', which would build it, is not installed.";
  } else {
    build.remark = "'" + text + "', which would build it, has failed:\n" + last_lines(run->output, 12);
  }
  return build;
}

}  // namespace ravel::erlang
