// A wakeup sequence: what is to be run at a node so that a race there is decided otherwise. Events of the
// execution, in the order of their nodes, then a last step, which may be one that did not happen.
//
// While it is compared with the branches of a node's tree, those of its steps that are in the tree already
// are removed, and what is needed is marked: the rest is left out.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "strategy/history/history.h"
#include "strategy/history/touch_summary.h"
#include "strategy/optimal_reduction/reduced_execution.h"
#include "strategy/optimal_reduction/step_pool.h"

namespace ravel::reduction {

// What comes last in a wakeup sequence.
struct LastStep {
  StepName name;
  std::uint64_t close_key = 0;
  bool ends_all = false;
  std::span<const Touch> touches;
  EventId event = kNoEvent;  // as it happened in this execution, or none
  bool is_tried = false;     // the step did not happen in this execution
};

class WakeupSequence {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // The step of a branch above the place in the tree to which the comparison has come.
  struct Above {
    StepName step;
    bool is_known;  // the step is in the sequence
  };

  explicit WakeupSequence(const ReducedExecution& execution)
      : execution_(execution), history_(execution.history()) {}

  // ---- what it is

  // Becomes what comes after a node and depends neither on it nor on `last`, if that is an event.
  void collect(std::uint32_t from, EventId last);
  void assign(std::span<const EventId> events) { events_.assign(events.begin(), events.end()); }
  // Sets the last step. `touches` must outlive its use.
  void set_last(const LastStep& last) {
    last_ = last;
    needs_.clear();
  }
  // An event that the last step must come after.
  void add_need(EventId event) { needs_.push_back(event); }
  std::span<const EventId> needs() const { return needs_; }
  // Leaves the tree with which it was compared.
  void leave_tree() { above_.clear(); }

  // The events without the last step.
  std::span<const EventId> events() const { return events_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(events_.size()); }
  const LastStep& last() const { return last_; }
  // The name of event number `index`, or of the last step if that comes after all of them.
  StepName step_at(std::uint32_t index) const {
    return index == size() ? last_.name : execution_.step_of(events_[index]);
  }
  std::span<const Touch> touches_at(std::uint32_t index) const {
    return index == size() ? last_.touches : history_.touches(history_[events_[index]]);
  }
  std::uint64_t close_key_at(std::uint32_t index) const {
    return index == size() ? last_.close_key : history_[events_[index]].close_key;
  }
  // A hash of the events, whatever their order.
  std::uint64_t hash() const;
  // Whether a step is the last one, or one that the last one needs.
  bool needs(const StepName& step) const;

  // ---- its comparison with a tree

  void begin_comparison();
  // Whether the event is in the tree, at a place above the one to which the comparison has come.
  bool is_removed(std::uint32_t index) const { return candidates_[index].is_removed; }
  bool is_last_removed() const { return is_last_removed_; }
  // The first event of an actor that is not removed; size() if there is none.
  std::uint32_t first_of(ActorId actor) const {
    std::uint32_t own = 0;
    while (own < size() && candidates_[own].actor != static_cast<std::uint32_t>(actor)) ++own;
    return own;
  }
  // What an event touches, nothing if it is removed.
  const TouchSummary& summary_at(std::uint32_t index) const { return candidates_[index].summary; }
  // What all of them touch.
  const TouchSummary& summary() const { return summary_; }
  // The comparison goes down a branch with this step, which is removed if it is in the sequence.
  bool remove(const StepName& step);
  void go_below(const StepName& step, bool is_known) {
    above_.push_back({.step = step, .is_known = is_known});
  }
  std::span<const Above> above() const { return above_; }
  void mark_needed_at(std::uint32_t index) { candidates_[index].is_needed = true; }
  void mark_all_needed() {
    for (Candidate& candidate : candidates_) candidate.is_needed = true;
  }
  // Marks what the last step needs, and what all that is needed comes after.
  void mark_needs();
  // Whether it is removed or needed. What is neither can be left out.
  bool is_kept(std::uint32_t index) const {
    return candidates_[index].is_removed || candidates_[index].is_needed;
  }
  // Leaves the others out. Returns whether anything is left that is not removed, the last step included.
  bool leave_out_others();

 private:
  // What is asked again and again of an event: nothing, if it is removed.
  struct Candidate {
    TouchSummary summary;
    std::uint32_t actor;  // kNone if it is removed
    bool is_removed = false, is_needed = false;
  };
  void mark_needed(EventId event) {
    const std::uint32_t place = place_of_[event];  // whatever, if it is not in the sequence
    if (place < events_.size() && events_[place] == event) candidates_[place].is_needed = true;
  }

  const ReducedExecution& execution_;
  const History& history_;
  std::vector<EventId> events_;
  LastStep last_;
  std::vector<EventId> needs_;           // of the last step
  std::vector<Candidate> candidates_;    // by place in the sequence
  std::vector<std::uint32_t> place_of_;  // by event, if that is in it
  TouchSummary summary_;
  bool is_last_removed_ = false;
  std::vector<Above> above_;
};

}  // namespace ravel::reduction
