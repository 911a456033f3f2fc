// Selectively uniform random walk: every order of the events that matter has the same chance.
//
// In each execution the interesting events are those on one object, drawn from those that several actors touch. An actor is
// drawn with the weight of the interesting events that it has left, and no other may take one before it has; all else is
// scheduled uniformly. If the numbers of events are right, each order of the interesting events is equally likely, however
// the others are spread over the program. They are estimated from the executions before; the first one is a random walk.
// Source: H. Zhao, D. Wolff, U. Mathur, A. Roychoudhury, "Selectively uniform concurrency testing" (ASPLOS 2025).
//
// What a transition will touch is asked from the System. Where that does not know, every event is interesting, and
// what is left is the uniform random walk of the same paper.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "strategy/actor_counts.h"
#include "strategy/sampling.h"

namespace ravel {

class SelectivelyUniform final : public Sampling {
 public:
  using Sampling::Sampling;

  std::string name() const override { return "selectively uniform random walk, seed " + std::to_string(seed()); }
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;

 private:
  struct Object {
    ActorCounts counts;
    std::optional<ActorId> first_actor;  // of this execution
    bool is_shared = false;              // several actors touch it
  };

  void begin() override;
  void end(Outcome outcome) override;
  void write_learned(PositionWriter& writer) const override;
  void read_learned(PositionReader& reader) override;

  bool is_interesting(const Point& point, const Transition& transition) const;
  void draw_next(const Point& point);

  std::map<std::uint64_t, Object> objects_;  // by number; ordered, so that draws do not depend on hashing
  ActorCounts all_;                          // of all events, where objects are not known
  bool knows_pending_ = false;               // the System tells what transitions will touch
  std::optional<std::uint64_t> target_;      // the object of this execution
  std::optional<ActorId> next_;              // whose interesting event is next
  std::vector<std::uint32_t> free_;          // indices of what may be chosen now
  System* system_ = nullptr;
};

}  // namespace ravel
