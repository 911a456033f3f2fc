// The execution that a reduction runs, or has just run: its events in the order in which they were executed,
// the node of each, and who could not move.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/strategy.h"
#include "strategy/history/history.h"
#include "strategy/optimal_reduction/dependence.h"
#include "strategy/optimal_reduction/nodes.h"
#include "strategy/optimal_reduction/script.h"
#include "strategy/optimal_reduction/step_pool.h"

namespace ravel::reduction {

// `by` has kept an actor from taking this step.
struct Prevented {
  EventId by;
  EventName step;
};

// An actor that could not take this step when nobody could go on, after so many events.
struct Stuck {
  EventName step;
  std::uint32_t length;
};

class ReducedExecution {
 public:
  // `nodes` and `steps` must outlive this object.
  ReducedExecution(Nodes& nodes, StepPool& steps) : nodes_(nodes), steps_(steps) {}

  // ---- while it runs

  // Goes back to where the script departs from what was executed. Returns how many events are kept.
  std::uint32_t go_back(const Script& script);
  // Keeps so many first events, each of which becomes that of the node with the number that is given for it.
  // REQUIRES: no node has an event.
  void keep_first(std::span<const std::uint32_t> nodes);
  // Notes who can move, and who can no longer.
  void see(const Point& point);
  // An event, which is that of a node.
  EventId append(const Event& event, std::uint32_t node);
  // Notes who can't move at the end. REQUIRES: something has happened.
  void see_end();
  // Finds out what sleeps after the event of a node.
  void put_to_sleep(std::uint32_t node);
  // Whether a transition is one that sleeps now.
  bool is_asleep(const Transition& transition) const;

  // ---- what it was

  // The System that runs it. REQUIRES: see() was called, or set_system().
  SystemView& system() const { return *system_; }
  void set_system(SystemView& system) { system_ = &system; }
  bool has_begun() const { return system_ != nullptr; }

  const History& history() const { return history_; }
  std::uint32_t node_of(EventId event) const { return node_of_[event]; }
  EventId event_of(std::uint32_t node) const { return nodes_[node].event; }
  // Whether all events were executed in the order of their nodes.
  bool is_in_order() const { return in_order_ == history_.length(); }
  // Whether each event is that of one of the first nodes. Not if a step turned out not to be possible.
  bool fills_first_nodes() const;
  StepName step_of(EventId event) const { return reduction::step_of(history_, event); }
  // The number of its step in the pool, which is in use once more.
  std::uint32_t use_step(EventId event);
  // Whether the event has ended the execution for everybody, so that it depends on all others.
  bool ends_all(EventId event) const { return event + 1 == history_.length() && has_stopped_others_; }
  // Events with messages that earlier receives could have taken.
  std::span<const EventId> late_sends() const { return late_sends_; }
  std::span<const Prevented> prevented() const { return prevented_; }
  // The stuck actors at the end, and where time passed.
  std::span<const Stuck> stuck() const { return stuck_; }
  void forget_who_waits() {
    stuck_.clear();
    prevented_.clear();
  }

 private:
  void rewind(std::uint32_t keep);
  void note_stuck();
  void note_prevented(std::span<const Transition> enabled);

  Nodes& nodes_;
  StepPool& steps_;
  SystemView* system_ = nullptr;
  History history_;
  std::vector<History::Mark> marks_;    // by position: before that event
  std::vector<std::uint32_t> node_of_;  // by position
  std::uint32_t in_order_ = 0;          // how many first events are those of the first nodes, in their order
  std::vector<EventId> late_sends_;
  std::vector<ActorId> was_enabled_;  // before the last event
  std::vector<Prevented> prevented_;
  std::vector<Stuck> stuck_;
  bool has_stopped_others_ = false;  // the last event
};

}  // namespace ravel::reduction
