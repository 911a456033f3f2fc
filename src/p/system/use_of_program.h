// Which states were entered, which events were handled in them and which events were sent, in all steps of a
// System: coverage as P's checker reports it.
//
// The idea: bits, set while machines run. A search may take a step several times, or take one back: what has
// happened in some execution counts.

#pragma once

#include <vector>

#include "p/machine/world_listener.h"
#include "p/program/program.h"

namespace ravel::p {

class UseOfProgram final : public WorldListener {
 public:
  explicit UseOfProgram(const Program& program)
      : entered_(program.states.size()), handled_(program.states.size()) {}

  bool was_entered(StateId state) const { return entered_[index(state)]; }
  // By a reaction of the state, or in a `receive` there.
  bool was_handled(StateId state, EventId event) const { return handled_[index(state)].contains(event); }
  bool was_told(EventId event) const { return told_.contains(event); }

  void note_entered(const LiveMachine&, StateId state) override { entered_[index(state)] = true; }
  void note_left(const LiveMachine&, StateId) override {}
  void note_reaction(const LiveMachine& live, EventId event, Reaction) override;
  void note_raised(const LiveMachine&, const Message& message) override {
    add_told(EventId{message.event.event_number()});
  }
  void note_told(const LiveMachine&, EventId event) override { add_told(event); }
  void note_observed(const LiveMachine&, const LiveMachine&, const Message&) override {}

 private:
  void add_told(EventId event);

  std::vector<bool> entered_;      // by state
  std::vector<EventSet> handled_;  // by state
  EventSet told_;                  // sent, announced or raised
};

}  // namespace ravel::p
