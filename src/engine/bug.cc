#include "engine/bug.h"

namespace ravel {

std::string Bug::key() const {
  // No file name holds a zero byte, so the parts can't run into each other.
  std::string text = kind;
  text += '\0';
  text += file;
  text += '\0';
  text += std::to_string(line);
  text += '\0';
  text += message;
  return text;
}

bool same_bug_elsewhere(const Bug& one, const Bug& other) {
  return one.kind == other.kind && one.message == other.message;
}

Bug event_bound_bug(std::uint64_t events_max) {
  return {.kind = "event_bound",
          .message = "the execution has not ended after " + std::to_string(events_max) +
                     " events: possibly a livelock",
          .file = {},
          .line = 0,
          .actor = {},
          .details = {}};
}

}  // namespace ravel
