// The tools of the server: what each is for, which arguments it takes, and what it answers. Arguments and
// answers are JSON texts, since only the protocol looks into them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "check/front_end.h"

namespace ravel::mcp {

// A JSON array: name, description and input schema of each tool.
std::string list_tools();

bool is_tool(std::string_view name);

// What the tool answers: a JSON object. An error is one that whoever has called it can do something about.
// REQUIRES: is_tool(name). `arguments`: a JSON object, or null.
Result<std::string> call_tool(const FrontEnds& front_ends, std::string_view name,
                              const std::string& arguments);

}  // namespace ravel::mcp
