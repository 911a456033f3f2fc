// A session of the Model Context Protocol (modelcontextprotocol.io): JSON-RPC 2.0, a message a line.
//
// Requests are answered in their order, each when it is done; a check takes as long as its budget says.
#pragma once

#include <optional>
#include <string>

#include "check/front_end.h"

namespace ravel::mcp {

class Session {
 public:
  // They must outlive this object.
  explicit Session(const FrontEnds& front_ends) : front_ends_(front_ends) {}

  // The answer to one line, without a newline. Nothing: it wants none.
  std::optional<std::string> answer(const std::string& line) const;

 private:
  const FrontEnds& front_ends_;
};

}  // namespace ravel::mcp
