// What happened before what: the events of the current execution, and of those that a search will come back
// to.
//
// The idea: each event is an Occurrence with a vector clock, so that "x is in the causal past of y" is one
// comparison. The causal past of an event: its actor's events before, the last conflicting touch of each
// object that it touches, and the send whose message it takes. Not in it: which of two messages was sent
// first. That only matters if a receive takes one that could have taken the other; then the one that was
// taken has to be sent first (a constraint), whoever sent it. So two executions are equivalent if actors do
// the same things with the same messages and conflicting touches come in the same order (Mazurkiewicz traces,
// with sends ordered only where it is observed: Aronis, Jonsson, Lang, Sagonas, "Optimal dynamic partial
// order reduction with observers", 2018).
//
// Priority messages lie ahead of all others, so a receive that takes another message has to come before the
// priority messages that it could have taken; one that takes a priority message puts no constraint on others.
//
// Occurrences live in one pool and are numbered in the order of their making. A search works as a stack: it
// truncates the pool when it will not come back. The current execution is a sequence of numbers, and
// everything that is needed to add an event to it (who touched an object last, what lies in a mailbox) can be
// undone event by event.
//
// Cost of adding an event: its touches, plus the actors for its clock.

#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/system.h"
#include "engine/transition.h"
#include "strategy/history/number_map.h"
#include "strategy/history/occurrence.h"

namespace ravel {

class History {
 public:
  std::size_t length() const { return current_.size(); }
  EventId at(std::size_t position) const { return current_[position]; }
  const Occurrence& operator[](EventId event) const { return pool_[event]; }

  // Takes back the last events of the current execution; their occurrences stay in the pool.
  void rewind(std::size_t length);
  // Notes who is able to move, before the next event.
  void see_enabled(std::span<const Transition> enabled, const SystemView& system);
  // Notes that there is an actor, which may never have been able to move.
  void meet(ActorId actor, const SystemView& system);
  // Appends an event. `system` is asked about messages.
  EventId append(const Event& event, SystemView& system);
  // The last event has stopped everybody: from now on it depends on all others.
  void mark_as_end();

  // Whether `a` is in the causal past of `b`, or is `b`.
  bool precedes(EventId a, EventId b) const { return precedes(pool_[a].name, b); }
  bool precedes(const EventName& a, EventId b) const {
    const Occurrence::Range clock = pool_[b].clock;
    const auto actor = static_cast<std::uint32_t>(a.actor);
    return actor < clock.end - clock.begin && clocks_[clock.begin + actor] > a.ordinal;
  }
  // Whether `a` is in the causal past of `b` for another reason than `c`, on which `b` depends directly or
  // not at all.
  bool precedes_without(const EventName& a, EventId b, EventId c) const;
  // The places in the current execution of an event's causal past, and its own.
  std::vector<std::size_t> causes_of(std::size_t position) const;
  // Every object that was touched so far, in any execution.
  const NumberMap& objects() const { return object_of_; }
  // The event that an actor has not done yet. REQUIRES: it was met, or able to move, at some time.
  EventName next_of(ActorId actor) const {
    return {.actor = actor, .ordinal = actors_[static_cast<std::uint32_t>(actor)].count};
  }
  // A hash that is equal for equivalent executions, and, except by a chance of 2^-64, for no others; in all
  // Systems of one program.
  std::uint64_t trace_hash() const { return hash_sums_.empty() ? 0 : hash_sums_.back(); }
  // A hash of states: executions with the same events are told apart if messages lie in another order in some
  // mailbox.
  std::uint64_t state_hash() const;

  // The events right before in the causal order, one for each reason: own, conflicts, message.
  std::span<const EventId> predecessors(const Occurrence& event) const {
    return std::span(ids_).subspan(event.predecessors.begin,
                                   event.predecessors.end - event.predecessors.begin);
  }
  // Other messages in the mailbox that a receive could have taken, except those that follow from the one it
  // took.
  std::span<const Sent> rivals(const Occurrence& event) const {
    return std::span(sent_).subspan(event.rivals.begin, event.rivals.end - event.rivals.begin);
  }
  std::span<const LateReceive> late_receives(const Occurrence& event) const {
    return std::span(late_).subspan(event.late_receives.begin,
                                    event.late_receives.end - event.late_receives.begin);
  }
  std::span<const Touch> touches(const Occurrence& event) const {
    return std::span(touches_).subspan(event.touches.begin, event.touches.end - event.touches.begin);
  }
  // Whether there has ever been one.
  bool has_priority_messages() const { return has_priority_messages_; }
  bool is_priority(const Sent& message) const {
    return touches(pool_[message.event])[message.touch].is_priority;
  }
  // What has to come first for a receive to take one message although it could take another one.
  enum class Precedence : std::uint8_t { kSend, kReceive, kNothing };
  // kSend: the send of `taken` comes before that of `other`. kReceive: the receive comes before it, also if
  // it takes none (kNoEvent).
  Precedence needed_to_take(const Sent& taken, const Sent& other) const {
    if (taken.event == kNoEvent) return Precedence::kReceive;
    if (is_priority(taken) == is_priority(other)) return Precedence::kSend;
    return is_priority(other) ? Precedence::kReceive : Precedence::kNothing;
  }
  // Whether an event has created the actor of another one, which is that actor's first.
  bool creates(EventId event, EventId first) const;
  // Whether the later event acquires an object that the earlier one touches so.
  bool acquires_from(EventId later, EventId earlier, Access access) const;
  // Whether they touch the same object so that they do not commute, messages apart.
  bool touches_conflict(EventId a, EventId b) const;
  // Whether a touch of `event` other than number `touch` conflicts with one of `other`.
  bool conflicts_apart_from(EventId event, std::uint32_t touch, EventId other) const;
  // The messages that lie in a mailbox now, the oldest first.
  std::span<const Sent> messages_in(std::uint64_t mailbox) const;
  // Whether an event that conflicts with another one touches the same objects if it comes first.
  bool keeps_touches(EventId event, EventId other) const;

  // The hash of an actor's name, equal in all Systems of one program. REQUIRES: the actor was met, or able to
  // move, at some time.
  std::uint64_t name_hash(ActorId actor) const { return names_[static_cast<std::uint32_t>(actor)].hash; }

  struct Mark {
    std::size_t pool, touches, clocks, ids, sent, late, nodes;
  };
  Mark mark() const;
  // Forgets what was recorded since. REQUIRES: the current execution holds nothing of it.
  void truncate(const Mark& mark);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kNotReady = ~std::uint32_t{0};

  struct Node {
    EventId event;
    Access access;
    std::uint32_t next;
  };
  struct Object {
    EventId writer = kNoEvent;      // the last event that conflicts with everything
    std::uint32_t reads = kNone;    // lists of Nodes, the newest first: reads since then
    std::uint32_t uses = kNone;     // also coarse writes, or what it is for a mailbox
    std::vector<Sent> messages;     // if it is a mailbox: what lies in it, priority messages first
    std::vector<EventId> receives;  // receives that took something from it, or went on without
    bool is_mailbox = false;
  };
  // What is known of an actor in all executions.
  struct KnownName {
    ActorName name;
    std::uint64_t hash = 0;  // of the name; 0: not known yet
  };
  struct Actor {
    EventId last = kNoEvent;
    std::uint32_t count = 0;
    std::uint32_t ready_at = kNotReady;
  };
  struct Undo {
    enum class Kind : std::uint8_t { kObject, kSent, kTaken, kReceive, kActor, kReady, kPassed } kind;
    std::uint32_t index;  // of the object or actor
    std::uint32_t first = 0, second = 0, third = 0;
  };

  std::uint32_t object_index(std::uint64_t object);
  bool knows_name(ActorId actor) const {
    return static_cast<std::uint32_t>(actor) < names_.size() &&
           names_[static_cast<std::uint32_t>(actor)].hash != 0;
  }
  void learn_name(ActorId actor, const SystemView& system);
  // What append() does, in this order.
  Occurrence& begin_occurrence(const Event& event, const SystemView& system);
  void add_time_and_own_past(Occurrence& occurrence);
  void touch_objects(Footprint footprint, Occurrence& occurrence, SystemView& system);
  void move_messages(Footprint footprint, Occurrence& occurrence);
  void note_causes(Occurrence& occurrence);
  void find_rivals(Occurrence& occurrence, SystemView& system);
  void find_late_receives(Footprint footprint, Occurrence& occurrence, SystemView& system);
  void count_for_actor(const Occurrence& occurrence);
  void touch_object(std::uint32_t index, const Touch& touch, EventId event, SystemView& system);
  void add_message(Object& mailbox, std::uint32_t index, const Sent& message);
  // Whether touches of two events conflict; for coarse ones, as the System said when the later one happened.
  bool conflict_by(const Touch& x, EventId a, const Touch& y, EventId b) const;
  bool commute_closely(EventId a, EventId b) const;
  bool ask_closely(EventId earlier, EventId later, SystemView& system);
  // The clock of an event that comes after `causes_` and is the actor's event number `count`, from 1.
  Occurrence::Range add_clock(std::uint32_t actor, std::uint32_t count);
  void add_predecessor(EventId event);
  // Whether a message can be taken only after another one, because it is sent later and has no priority over
  // it.
  bool lies_after(const Sent& other, const Sent& taken) const {
    return precedes(taken.event, other.event) && needed_to_take(other, taken) != Precedence::kNothing;
  }
  void note_overtaking(EventId receive, EventId send, std::uint32_t touch, SystemView& system) const;
  // Whether it comes before whatever is appended because time has passed since.
  bool is_before_passing(EventId event) const {
    return passed_ != kNoEvent && pool_[event].position < pool_[passed_].position;
  }
  void add_all_predecessors();
  // Adds the events of a list that conflict with a touch.
  void add_conflicting(std::uint32_t list, const Touch& touch, EventId event, SystemView& system);

  std::vector<Occurrence> pool_;
  std::vector<Touch> touches_;
  std::vector<std::uint32_t> clocks_;  // by actor: how many of its events are in the causal past
  std::vector<EventId> ids_;
  std::vector<Sent> sent_;
  std::vector<LateReceive> late_;
  std::vector<Node> nodes_;

  std::vector<EventId> current_;
  bool has_priority_messages_ = false;
  EventId passed_ = kNoEvent;             // the last event with which time passed
  std::vector<std::uint64_t> hash_sums_;  // by position: of the events up to there
  std::vector<std::size_t> undo_from_;    // by position
  std::vector<Undo> undo_;
  std::vector<Object> objects_;
  NumberMap object_of_;                   // number of an object -> its index
  std::vector<std::uint32_t> mailboxes_;  // the objects that have ever held a message
  std::vector<Actor> actors_;
  std::vector<KnownName> names_;
  std::vector<EventId> causes_;          // while an event is added
  std::vector<std::uint64_t> cause_in_;  // by event: the last append() in which it was found to be a cause
  std::uint64_t appends_ = 0;
  std::vector<std::uint32_t> touched_;  // while an event is added: the indices of the objects that it touches
  // While an event is added: whether coarse touches conflict with an event's
  std::vector<std::pair<EventId, bool>> asked_;
};

}  // namespace ravel
