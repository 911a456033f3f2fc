// Loops in which nobody does anything but look: whoever polls there waits for ever, and nothing will change.
//
// A step only looks if it changes nothing that others could notice, and is no choice; the System says so in
// its letters. A loop of such steps is a livelock if it is fair (fair_cycles/search.h): whoever could move
// all the time has moved, and only looked as well. Loops in which messages go round, say of a server that
// runs for ever, are none.
//
// The idea: keep the transitions between states that only look, which are few, and look for a fair cycle of
// their graph when they have doubled, and at the end.
//
// Cost: 12 bytes for each such transition, and 60 more while a cycle is looked for, which takes n log n.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/numbered_values.h"
#include "engine/position.h"
#include "engine/system.h"
#include "fair_cycles/actor_sets.h"
#include "fair_cycles/search.h"

namespace ravel {

// Letter::step has this bit if the step only looked.
inline constexpr std::uint64_t kOnlyLooked = std::uint64_t{1} << 63;

class PollingLoops {
 public:
  // A transition of a state, by its place among the enabled ones, that only looks. `enabled`: all of them.
  void note(StateNumber from, std::uint32_t index, std::span<const Transition> enabled, StateNumber to);
  // Whether it is time to look for a loop again.
  bool is_due() const { return edges_.size() >= due_at_; }

  struct Loop {
    StateNumber begin{};
    std::vector<std::uint32_t> indices;  // of its transitions, each among those that are enabled there
  };
  // A loop that is fair to all, if there is one.
  std::optional<Loop> find(fair_cycles::Fairness fairness);

  std::uint64_t bytes() const { return edges_.size() * sizeof(Edge) + labels_.size() * sizeof(Label); }

  void write_position(PositionWriter& writer) const;
  // What the position says is known when each state was met again, which meet() is to be told. Whether the
  // position makes sense.
  bool read_position(PositionReader& reader);
  bool meet(StateNumber state, std::span<const Transition> enabled);

 private:
  // What is the same of many transitions.
  struct Label {
    std::uint32_t index = 0;
    fair_cycles::Actor mover = fair_cycles::kNoActor;
    fair_cycles::ActorSet enabled = fair_cycles::kNoActors;

    friend bool operator==(const Label&, const Label&) = default;
  };
  struct LabelHash {
    std::size_t operator()(const Label& label) const {
      return combine(static_cast<std::uint64_t>(label.mover) << 32 | label.index,
                     static_cast<std::uint64_t>(label.enabled));
    }
  };
  struct Edge {
    std::uint32_t from = 0, to = 0, label = 0;
  };
  class Cycles;

  std::vector<Edge> edges_;
  NumberedValues<Label, LabelHash> labels_;
  fair_cycles::ActorSets sets_;
  std::vector<fair_cycles::Actor> actors_;
  std::size_t due_at_ = kFirstLook;
  static constexpr std::size_t kFirstLook = 1'000;

  // Of a position: transitions of states that were not met again.
  struct Noted {
    std::uint32_t from = 0, index = 0, to = 0;
  };
  std::vector<Noted> noted_;  // sorted, the next one last
};

}  // namespace ravel
