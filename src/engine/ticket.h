// A ticket: the file that replays a bug for ever.
//
// It holds what was tested (which only the front end understands), the options, the bug, and the schedule by
// logical names, so that it keeps its meaning when the program is edited a little or this program is replaced
// by a later version. The format is JSON with a version; a change that older programs would misread raises
// it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/actor.h"
#include "engine/bug.h"
#include "engine/exploration.h"
#include "engine/lasso.h"
#include "engine/named_step.h"
#include "engine/recording.h"

namespace ravel {

// 2: the kind of a step is a number.
inline constexpr int kTicketVersion = 2;

// One step. The operation and its place are for the reader, and to notice that the program has changed.
struct NotedStep {
  NamedStep step = {};
  std::string operation = {};
  std::string file = {};
  std::uint32_t line = 0;

  friend bool operator==(const NotedStep&, const NotedStep&) = default;
};

struct Ticket {
  std::string ravel_version;     // which version wrote it
  std::string front_end;         // name of the front end, as it knows itself
  std::string program = "{}";    // a JSON value by and for the front end: files, checksums, the test
  std::uint64_t events_max = 0;  // the bound on events that was in force
  Bug bug;
  std::uint32_t preemptions = 0;
  std::optional<Lasso> lasso = {};
  std::vector<NotedStep> schedule;

  friend bool operator==(const Ticket&, const Ticket&) = default;
};

// The ticket of a recorded bug; the caller adds front_end, program and options. REQUIRES: recording.bug.
Ticket make_ticket(const Recording& recording, std::uint64_t events_max);

std::string print_ticket(const Ticket& ticket);

// `name` is what messages call the text, usually its file.
Result<Ticket> parse_ticket(std::string_view text, std::string_view name);

}  // namespace ravel
