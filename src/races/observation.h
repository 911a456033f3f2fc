// One execution, taken step by step, of which everything is known: what happened (Recording), what happened
// before what and what could have been taken instead (History), and the names of its messages.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/named_step.h"
#include "engine/recording.h"
#include "engine/system.h"
#include "engine/trace.h"
#include "strategy/history/history.h"

namespace ravel {

class Observation {
 public:
  // Begins in the initial state. The system must answer could_take(), and outlive this object.
  Observation(System& system, std::uint64_t events_max);

  bool running() const { return recorder_.running(); }
  // REQUIRES: running(), and `transition` is enabled.
  void take(const Transition& transition);
  void take_first() { take(recorder_.first_choice()); }
  // The transition that this step names, if it is enabled.
  std::optional<Transition> find(const NamedStep& step) const;
  // Takes the steps as far as they are enabled, then goes on without preemptions until the end.
  void run(std::span<const NamedStep> steps);
  // REQUIRES: running() is false, or whoever reads it does not mind; called once, and nothing is taken any
  // more.
  const Recording& finish();

  // Events are numbered by their position.
  const History& history() const { return history_; }
  std::size_t length() const { return history_.length(); }
  const std::vector<RecordedEvent>& events() const {
    return is_finished_ ? recording_.events : recorder_.events();
  }
  const Recording& recording() const { return recording_; }  // REQUIRES: finish() was called
  // The event that is the bug, if it is one (not a deadlock). The execution may go on after it. REQUIRES:
  // finish() was called.
  std::optional<EventId> bug_event() const { return bug_event_; }
  System& system() const { return system_; }

  MessageName name_of(const Sent& message) const;
  // What it says, for readers.
  const std::string& value_of(const Sent& message) const;
  // The actor to whose mailbox a message was sent.
  ActorName receiver_of(const Sent& message) const;
  EventRef ref_of(EventId event) const;
  NamedStep step_of(EventId event) const;
  // The alternatives of the event's actor, except the one that it took.
  std::span<const std::uint32_t> other_alternatives(EventId event) const {
    return other_alternatives_[event];
  }
  // The messages that an event has sent.
  std::span<const Sent> sent_by(EventId event) const;
  // Messages that nobody has received.
  std::vector<Sent> orphans() const;

 private:
  System& system_;
  Recorder recorder_;
  History history_;
  Recording recording_;
  bool is_finished_ = false;
  std::optional<EventId> bug_event_;
  std::vector<std::vector<std::uint32_t>> other_alternatives_;  // by event
  struct Message {
    Sent sent;
    MessageName name;
  };
  std::vector<Message> messages_;              // in the order of sending
  std::vector<std::size_t> messages_before_;   // by event: how many were sent before it
  std::vector<Sent> sent_;                     // messages of messages_
  std::map<ActorName, std::uint32_t> counts_;  // messages by sender
};

// The trace of an execution; the caller adds front_end and program.
Trace trace_of(const Observation& observation, std::uint64_t events_max);

}  // namespace ravel
