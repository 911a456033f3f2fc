// A project that is not built yet is built by its own tool.

#pragma once

#include <string>
#include <vector>

namespace ravel::erlang {

struct OwnBuild {
  bool is_done = false;
  std::string remark;  // what was run; if that failed, why
};

// Runs the command in the folder. It is asked nothing: its input is empty.
OwnBuild build_by_own_tool(const std::string& folder, const std::vector<std::string>& command);

}  // namespace ravel::erlang
