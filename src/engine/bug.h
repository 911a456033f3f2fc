// A bug: a violated property of the program under test. A refusal: something in it that no schedule controls.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ravel {

struct Bug {
  std::string kind;     // "deadlock", "abnormal_exit", "assertion", "no_progress", "event_bound", ...
  std::string message;  // what went wrong, in one line, the same for every schedule that leads to this bug
  std::string file;     // where, or empty
  std::uint32_t line = 0;
  std::string actor;                 // the logical name of who failed, or empty
  std::vector<std::string> details;  // more lines for the reader, which may differ between schedules

  // Bugs with the same key are one bug: same kind, same place, same reason. Which actor it struck does not
  // tell bugs apart.
  std::string key() const;
  // Whether the keys are the same, without making them.
  bool is_same(const Bug& other) const {
    return line == other.line && kind == other.kind && message == other.message && file == other.file;
  }

  friend bool operator==(const Bug&, const Bug&) = default;
};

// Whether these are the same bug even though the program was edited in between, which moves lines.
bool same_bug_elsewhere(const Bug& one, const Bug& other);

// The bug of an execution that has not ended after `events_max` events.
Bug event_bound_bug(std::uint64_t events_max);

struct Refusal {
  std::string message;  // what is refused, why, and the way out
  std::string file;
  std::uint32_t line = 0;

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

}  // namespace ravel
