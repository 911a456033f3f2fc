// A trace: what each actor did, with which messages, and no order between actors but the one that follows.
//
// The idea (G. Vidal, "Computing Race Variants in Message-Passing Concurrent Programming with Selective
// Receives", 2022, definitions 1 to 6): a trace maps each actor to the sequence of its spawns, its sends
// (which message, its value, to whom) and its receives (which message, under which constraint). It stands for
// all schedules that differ only in the order of independent events, and any of these leads to the same end.
// Where we differ: an event may do several of these at once (an end that tells several others); a receive may
// go on without a message; and what actors do to each other without messages is in the trace, too, as events
// that say which others they come `after`.
//
// A partial trace leaves out last events of some actors. The file format is JSON with a version.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/actor.h"
#include "engine/system.h"
#include "engine/transition.h"

namespace ravel {

// 2: the kind of an event is a number.
inline constexpr int kTraceVersion = 2;

// The how-many-th message of its sender, from 1: the same in all executions in which the sender does the
// same.
struct MessageName {
  ActorName sender;
  std::uint32_t ordinal = 1;

  static Result<MessageName> parse(std::string_view text);
  std::string to_string() const;  // "P.1#2"
  friend auto operator<=>(const MessageName&, const MessageName&) = default;
};

// The how-many-th event of its actor, from 1.
struct EventRef {
  ActorName actor;
  std::uint32_t ordinal = 1;

  static Result<EventRef> parse(std::string_view text);
  std::string to_string() const;  // "P.1:2"
  friend auto operator<=>(const EventRef&, const EventRef&) = default;
};

struct TraceAction {
  enum class Kind : std::uint8_t {
    kSpawn,    // of `actor`
    kSend,     // of `message` with the value `text` to `actor`
    kReceive,  // of `message`, under the constraint `text`
    kExpire,   // of a receive under the constraint `text`, which goes on without a message
  };
  Kind kind = Kind::kSpawn;
  ActorName actor;
  MessageName message;
  std::string text;

  friend bool operator==(const TraceAction&, const TraceAction&) = default;
};

struct TraceEvent {
  std::vector<TraceAction> actions;  // none: an operation that is neither a spawn nor about messages
  std::vector<EventRef> after;  // events of others that it comes after, other than by spawns and messages
  std::uint32_t alternative = 0;
  TransitionKind kind = TransitionKind::kOperation;
  std::string operation;  // for the reader
  std::string file;
  std::uint32_t line = 0;

  // The action with which it takes a message, or goes on without one; null if it is no receive.
  const TraceAction* receive() const;
  friend bool operator==(const TraceEvent&, const TraceEvent&) = default;
};

struct ActorTrace {
  ActorName actor;
  std::vector<TraceEvent> events;

  friend bool operator==(const ActorTrace&, const ActorTrace&) = default;
};

struct Trace {
  std::string ravel_version;
  std::string front_end;
  std::string program = "{}";  // as in a ticket
  std::uint64_t events_max = 0;
  std::string outcome;  // how the execution ended that this is a trace of: "finished", "deadlock", ...; for
                        // the reader
  std::vector<ActorTrace> actors;  // in the order of their names

  std::size_t length() const;  // how many events
  friend bool operator==(const Trace&, const Trace&) = default;
};

std::string print_trace(const Trace& trace);
// `name` is what messages call the text, usually its file. What is read can be followed as far as its own
// references go: the event that an `after` names is there, and a message that is received is sent, once.
Result<Trace> parse_trace(std::string_view text, std::string_view name);
// Whether this text is meant to be one.
bool is_trace_text(std::string_view text);

}  // namespace ravel
