// Partial order sampling: each pending event has a random priority, and the highest enabled one is next.
//
// When an event has happened, those that race with it, which are pending on the same object and conflict with
// it, get new priorities. So the order of an event among those that it races with is drawn afresh each time,
// and traces are sampled much more evenly than by a random walk. Source: X. Yuan, J. Yang, R. Gu, "Partial
// order aware concurrency sampling" (CAV 2018).
//
// What a transition will touch is asked from the System. Where that does not know, nothing is taken to race,
// so that an event keeps its priority until it happens.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "strategy/sampling.h"

namespace ravel {

class PartialOrderSampling final : public Sampling {
 public:
  using Sampling::Sampling;

  std::string name() const override { return "partial order sampling, seed " + std::to_string(seed()); }

 private:
  static constexpr std::uint64_t kNone = 0;

  void begin() override { priorities_.clear(); }
  Decision draw(const Point& point) override;
  void note(const Event& event) override;
  std::uint64_t& priority_of(ActorId actor);

  struct Pending {
    ActorId actor;
    Touch touch;
  };
  std::vector<std::uint64_t> priorities_;  // by actor, of its pending event
  std::vector<Pending> pending_;           // of this point, as far as known
};

}  // namespace ravel
