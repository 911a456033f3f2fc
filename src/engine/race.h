// What could have happened otherwise in an execution, for readers.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/bug.h"
#include "engine/named_step.h"
#include "engine/system.h"
#include "engine/trace.h"

namespace ravel {

enum class RaceKind : std::uint8_t {
  kMessage,  // a receive could have taken another message
  kExpiry,   // a receive could have gone on without a message
  kOrder,    // two operations that do not commute could have come in the other order
  kChoice,   // an operation could have gone another way, by an alternative of its own
};

struct RaceDescription {
  RaceKind kind = RaceKind::kMessage;
  EventRef event;        // the receive, the earlier operation, or the one with a choice
  EventDescription did;  // what that did
  // What sends the other message, or the later operation; kChoice: the same event, as it is then
  EventRef other;
  EventDescription other_did;
  MessageName message;  // kMessage: the other one
  std::string value;
  std::size_t kept = 0;  // how many events its variant has in common with the execution
};

struct OrphanDescription {
  MessageName message;
  std::string value;
  ActorName receiver;
  EventDescription sent;  // by which event
};

// Why a bug happens: how the nearest execution without it that was found departs from the one with it.
struct Explanation {
  // empty: none was found; more than one: each in the execution that the ones before lead to
  std::vector<RaceDescription> changes;
  // Of the execution to which they lead: how it begins. Then it goes on without preemptions.
  std::vector<NamedStep> passing = {};
  std::size_t tried = 0;     // executions
  bool has_faults = false;   // as the execution with the bug has
  bool is_complete = false;  // there was nothing else to try
};

}  // namespace ravel
