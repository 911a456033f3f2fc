// Standard input and output of a command that speaks a protocol on them.
#pragma once

#include <cstdio>

#include "base/result.h"

namespace ravel {

struct ProtocolStreams {
  std::FILE* in = nullptr;
  std::FILE* out = nullptr;
};

// The streams are for the protocol alone from now on: other code, and children such as compilers, read
// nothing, and what they print goes to standard error. Called once; the streams are never closed.
Result<ProtocolStreams> take_standard_streams();

}  // namespace ravel
