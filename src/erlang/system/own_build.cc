#include "erlang/system/own_build.h"

#include <algorithm>
#include <sstream>

#include "erlang/system/run_program.h"

namespace ravel::erlang {

namespace {

// The last lines say why a tool has given up; each is marked as the tool's.
std::string last_lines(const std::string& text, std::size_t count) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty()) lines.push_back(std::move(line));
  }
  if (lines.empty()) return " it said nothing";
  std::string quoted;
  for (std::size_t i = lines.size() - std::min(count, lines.size()); i < lines.size(); ++i)
    quoted += "\n  | " + lines[i];
  return quoted;
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
    build.remark = "'" + text + "', which would build it, has failed:" + last_lines(run->output, 12);
  }
  return build;
}

}  // namespace ravel::erlang
