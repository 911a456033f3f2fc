// Messages of the Debug Adapter Protocol on a pair of streams: a header with the length, an empty line, and
// the message.
//
// A header that makes no sense leaves nothing to go on from, since nobody knows where the next message
// begins. So that is an error, and the end.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ravel::dap {

// Longer messages are refused: no request of an editor comes near.
inline constexpr std::size_t kMessageBytesMax = std::size_t{64} << 20;

// The next message. Nothing: the stream ended where a message could have begun.
Result<std::optional<std::string>> read_frame(std::FILE* in);

// False: the other side is gone.
bool write_frame(std::FILE* out, std::string_view message);

}  // namespace ravel::dap
