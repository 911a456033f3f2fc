// A session of the Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol): what an editor asks,
// and what it is answered.
//
// It answers each request at once, since moving in a recorded execution takes no time that a user would
// notice. Bad requests are answered by an error and change nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/front_end.h"

namespace ravel::dap {

class Session {
 public:
  // They must outlive this object.
  explicit Session(const FrontEnds& front_ends);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // The messages that answer one message, in their order: JSON texts.
  std::vector<std::string> answer(const std::string& message);
  // The client wants to end.
  bool is_over() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ravel::dap
