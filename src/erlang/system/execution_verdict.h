// How an execution has ended, and why.
#pragma once

#include "engine/bug.h"
#include "engine/system.h"

namespace ravel::erlang {

struct ExecutionVerdict {
  Outcome outcome = Outcome::kFinished;
  Bug bug = {};          // kBug
  Refusal refusal = {};  // kUnsupported
};

}  // namespace ravel::erlang
