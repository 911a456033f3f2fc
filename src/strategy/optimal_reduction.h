// Runs every trace, each once: dynamic partial-order reduction without sleep sets and wakeup trees. It is optimal (nothing
// is repeated, nothing given up) as long as no event touches other objects because of what came before it.
//
// Two executions are equivalent if one becomes the other by swapping neighbouring independent events; a class of
// equivalent executions is a trace (history.h says what depends on what). All executions of a trace end in the same
// state, so one of each is enough.
//
// The idea. An execution is made of slots. A slot is opened when the default order picks an actor: it decides what
// that actor's next event is, that is, with which causal past it happens. By default it happens now, after all
// that was there when the slot was opened. Any other decision lets it happen later, after certain events of others that
// it depends on, or lets a receive take a certain message. For a given beginning the possible decisions exclude each
// other, and every trace takes exactly one of them: so a search that tries each decision of each slot once runs
// every trace once. No sleep sets, no wakeup trees: nothing has to be remembered of what was done before.
//
// New decisions are found while others are explored. When an event g happens that is in a race with the event e
// of an earlier slot, that slot has a further decision, in which e happens after g: the causal past of g without e
// becomes part of the slot, then g, then e. When a message arrives that an earlier receive could have taken, its slot
// has the decision to take it. Everything else that came after the slot is dropped and found again by itself.
// The same decision would be found many times, since what is dropped can happen in many ways. It is made
// only when all slots in between decided as the default would, given the causal past of g (`is_canonical`), and,
// if it makes e wait for a further event, only if that one is the last in e's own order (`Candidate` kReversal): so
// each decision is made once, found from one place. This follows TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis,
// "Truly stateless, optimal dynamic partial order reduction", POPL 2022), which does it for reads and writes of
// single variables in execution graphs, and its sibling for messages, Must (Enea et al., OOPSLA 2024). Here events
// may touch any number of objects, so the past of an event grows one race at a time, in the order of its touches.
//
// A receive that could take several messages of its mailbox decides among them without dropping anything: sends
// do not depend on each other. The executed order is then changed so that the chosen message is sent before its
// rivals, if what is known so far allows it.
//
// Where it is not that simple: the later event g of a race may touch other objects if it comes first, because it reads
// what e changes and decides by it (`Touch::decides`), or because e would have prevented it. Then nobody knows yet with
// which past g happens before e. So g's actor is inserted: it gets the slot, with all its decisions, and e a slot right
// behind it (`Slot::followers`). An inserted event that e turns out not to depend on, or that belongs earlier among
// those inserted, is a decision found elsewhere too: the execution is given up there (Novelty::kDiscarded). A few traces
// are still reached twice on this way; they are recognised by their hash and counted as repeated. All this is held by
// comparison with exhaustive search (tests/strategy/optimal_reduction_test.cc, and of Erlang programs
// tests/erlang_system/erlang_traces_test.cc), not by a proof.
//
// Not handled: actors that another one's event blocks without preventing them for ever (locks).
//
// When decisions are tried: a slot's own when everything after it is done. A decision found by g is tried when g's
// slot is closed, in a new level that shares its beginning with the level that found it. The stack of levels is never
// deeper than an execution is long, because each level keeps the event for which it was made.
//
// Memory: O(n^2) for executions of n events, each with its footprint and a clock; and 8 bytes, with the table's share,
// for each of the first 4 million traces.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/strategy.h"
#include "strategy/history.h"

namespace ravel {

class OptimalReduction final : public Strategy {
 public:
  OptimalReduction() = default;
  // Every execution contains the events of these steps, which are not decided anew: it explores the traces that extend
  // the partial one that these make. REQUIRES: they can be taken.
  explicit OptimalReduction(std::span<const Transition> prefix) {
    for (const Transition& step : prefix)
      prefix_.push_back({.actor = step.actor, .alternative = step.alternative, .slot = 0, .decides_slot = false, .event = kNoEvent});
  }

  std::string name() const override { return "optimal partial-order reduction"; }
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override {
    return {.kind = Coverage::Kind::kAllTraces, .bound_completed = {}, .bound_current = {}};
  }
  std::optional<std::vector<std::size_t>> causes_of(std::size_t event) const override { return history_.causes_of(event); }
  std::optional<double> executions_estimate() const override;
  bool write_position(PositionWriter& writer) const override;
  bool read_position(PositionReader& reader) override;

 private:
  // How a slot's event was decided.
  enum class Choice : std::uint8_t {
    kDefault,      // it happens as it does after what is there; a receive takes the first message it can use
    kAlternative,  // another alternative of a data choice
    kMessage,      // a receive takes a certain message
    kExpiry,       // a receive goes on without the messages that it could have taken
  };
  struct PutBefore {
    EventName event;
    bool changes = false;  // what the follower touches
  };
  struct Follower {
    EventName event;
    std::vector<PutBefore> after;  // what was put before it, in this order
  };
  struct Slot {
    ActorId actor{};
    EventId event = kNoEvent;        // none yet, or: the actor can't move any more
    Choice choice = Choice::kDefault;
    std::uint32_t alternatives = 1;  // of its data choice
    std::vector<EventName> waits_for;  // the last events that were put before it, which no other of them follows
    // Slots that are decided right after this one, whatever it decides: their events have to come later than its own,
    // which was put before them.
    std::vector<Follower> followers;
    std::vector<PutBefore> after;      // of a follower: what was put before it
    std::uint64_t number = 0;          // of this slot among all that were ever opened
    // What a receive did by default, for is_canonical(): took this message of that event, or none.
    bool default_takes = false;
    EventName default_sender;
    std::uint32_t default_touch = 0;
  };
  // A further decision of a slot.
  struct Candidate {
    enum class Kind : std::uint8_t {
      kAlternative,  // the next alternative of the slot's data choice
      kReversal,     // the slot's event after `event`, which raced with it
      kMessage,      // the slot's receive takes touch number `touch` of `event`
      kExpiry,       // the slot's receive goes on without a message
      kInsertion,    // `actor` decides first what it does after `event` and `enabler`, then the slot's actor
    } kind;
    std::uint32_t slot;
    EventId event = kNoEvent;
    std::uint32_t touch = 0;
    ActorId actor{};
    EventId enabler = kNoEvent;  // of the inserted actor
  };
  // A step that is to be executed as it is.
  struct ScriptStep {
    ActorId actor;
    std::uint32_t alternative;
    std::uint32_t slot;
    bool decides_slot;
    EventId event;  // known from before, or none
  };
  struct Prevented { EventId by; ActorId actor; EventId enabler; };
  struct Level {
    std::vector<EventId> order;        // of the events, as executed
    std::vector<Slot*> slots;          // those before `base` belong to the levels below, but for `copies`
    std::vector<Slot*> copies;         // of slots before `base` whose event happens again in another place
    std::uint32_t base = 0;            // the slot that this level was made for
    std::vector<Prevented> prevented;
    std::vector<Candidate> candidates; // of the slot that is being closed, last first
    bool is_closing = false;
    History::Mark mark{};
    Candidate origin{};                // what it was made for
    std::uint64_t executions_before = 0;
  };
  // A candidate as a position notes it: events by their places in the level's order, from 1; 0 is none.
  struct NotedCandidate {
    Candidate candidate;  // without its events and its actor
    std::uint64_t event_place = 0, enabler_place = 0;
    std::string actor;    // the name of the one that is inserted
  };
  using Insertions = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  // A level as a position notes it.
  struct NotedLevel {
    std::uint64_t slots = 0;               // that are not closed yet
    std::uint64_t executions_before = 0;
    std::optional<NotedCandidate> origin;  // of the level above
    std::vector<NotedCandidate> candidates;
    std::vector<std::pair<std::uint64_t, Insertions>> inserted;  // by slot of its own
  };

  Level& level() { return levels_.back(); }
  Slot& slot_at(std::uint32_t number) { return *levels_.back().slots[number]; }
  const Slot& slot_at(std::uint32_t number) const { return *levels_.back().slots[number]; }
  Slot& new_slot();
  Slot& copy_of(const Slot& slot);  // with a number of its own
  void release_last_slot();
  void note_prevented(std::span<const Transition> enabled);
  // Finds what the last slot's events add to earlier slots, and to itself.
  void collect_candidates();
  void collect_from(EventId arrival, std::uint32_t at_slot);
  void close_last_slot();
  void forget_waits_of_newest();
  bool may_be_prevented();
  // Makes a level for the candidate; false if there is no such trace.
  bool open_level(const Candidate& candidate);
  void script_reversal(const Candidate& candidate);
  bool script_message(const Candidate& candidate);
  bool script_expiry(const Candidate& candidate);
  void script_insertion(const Candidate& candidate);
  // `arrival`: what the actor does without it, if it is known.
  bool is_first_insertion(std::uint32_t slot, ActorId actor, EventId origin, EventId enabler, EventId arrival);
  // The event that an event's actor owes that it can do it: its own before, or its creation.
  EventId origin_of(EventId event) const;
  // What came right before an event's actor could do it.
  EventId enabler_of(EventId event) const;
  bool diverts(EventId cause, EventId event) const;
  void add_step(EventId event, std::uint32_t slot);
  void add_decision(std::uint32_t slot, std::uint32_t alternative);

  std::vector<EventId> causes_without_message(EventId receive) const;
  // Whether the event of `slot` can have happened before what it raced with made it what it is.
  bool is_reversible(EventId later, EventId earlier) const;
  bool disturbs_followers(std::uint32_t slot, EventId event) const;
  bool would_wait_last(EventId earlier, EventId later) const;
  bool is_met_before(EventId event, EventId one, EventId other) const;
  EventId last_of(ActorId actor) const;
  EventId find_in_order(const EventName& name) const;
  // Whether slots (from, to) decided as the default would, given that `event` has to happen.
  bool is_canonical(std::uint32_t from, std::uint32_t to, EventId event);
  bool is_default_given(std::uint32_t slot, EventId event);

  // Events of the level with a slot below `slot`, of `slot` without its decision, and with the past of `event` and of
  // `other`: marks them in in_config_.
  void mark_config(std::uint32_t slot, EventId event, EventId other = kNoEvent);
  bool in_config(EventId event) const { return in_config_[event] != 0; }
  // All that has to be executed before an event, by causality and by what receives observe; marks them in before_.
  void mark_before(std::span<const EventId> events);
  EventId find_in_config(const EventName& name) const;
  // The messages of the config that this receive could have taken, as far as known.
  void find_takeable(EventId receive, std::vector<Sent>& messages) const;
  // The message a receive would take at the end of the config, executed in a canonical order.
  Sent first_in_canonical_order(std::span<const Sent> messages);

  History history_;
  std::vector<Level> levels_;
  std::vector<Level> spare_levels_;    // for their storage
  std::vector<ScriptStep> prefix_;     // of the first execution, in the first slot
  std::deque<Slot> slot_storage_;
  std::vector<Slot*> spare_slots_;
  std::vector<ScriptStep> script_;
  std::size_t script_at_ = 0;
  bool is_rejected_ = false;
  System* system_ = nullptr;
  std::vector<ActorId> was_enabled_;   // before the last event
  std::uint32_t next_slot_ = 0;        // of the step that was chosen
  bool next_decides_ = false;
  std::uint32_t next_alternatives_ = 1;

  // Of the levels of one depth in the stack that are done: how many, and how many executions they had.
  struct Extent { double finished = 0, executions = 0; };
  NotedCandidate note(const Level& level, const Candidate& candidate) const;
  std::vector<NotedLevel> note_levels() const;
  Candidate find_noted(const NotedCandidate& noted) const;
  // Makes the level that the position has above the current one; false if there is none.
  bool return_to_next_level();
  double races_of(EventId event) const;
  // Whether the execution that is going on was counted before the position was written.
  bool is_known() const {
    return levels_returned_ < to_return_.size() && (levels_returned_ + 1 < to_return_.size() || was_ended_);
  }

  std::vector<Extent> extents_;
  double candidates_found_ = 0, races_closed_ = 0;
  std::uint64_t executions_ = 0;         // new ones
  std::vector<NotedLevel> to_return_;    // the levels of a position that was read
  std::size_t levels_returned_ = 0;      // how many of them have been executed again
  bool has_ended_ = false;               // the execution that was planned last
  bool was_ended_ = false;               // the last one of the position that was read
  std::uint64_t slots_opened_ = 0;
  std::unordered_set<std::uint64_t> seen_;  // hashes of traces
  // Which actors were put before the events of open slots, by slot number: hashes of the actor and of its event before.
  std::unordered_map<std::uint64_t, Insertions> inserted_;

  std::vector<std::uint8_t> in_config_, before_;  // by event
  std::vector<EventId> config_;                    // in the order of execution
  std::vector<Sent> takeable_;
};

}  // namespace ravel
