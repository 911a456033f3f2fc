// Probabilistic concurrency testing: random priorities of actors, which change at d - 1 random places.
//
// The enabled actor of the highest priority goes on. At the i-th change point the actor that is about to move gets the
// priority i, below all that actors begin with. A bug that needs d ordering constraints (of depth d) is found in an
// execution with a probability of at least 1 / (n k^(d-1)), for n actors and k places. Source: S. Burckhardt, P. Kothari,
// M. Musuvathi, S. Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding bugs" (ASPLOS 2010).
//
// With a number v of variables (PCTVB) each execution draws v objects out of the Q that somebody was seen to access
// while others could go on, and the change points are accesses to these; k is then the sum of how often they are
// accessed, and the bound is that of theorem 3.1 of S. Bindal, S. Bansal, A. Lal, "Variable and thread bounding for
// systematic testing of multithreaded programs" (ISSTA 2013), divided by the number of ways to draw v of Q. A bug among
// objects that are seldom accessed is found earlier so.
//
// How many places there are is learned from the executions before, of which the first has no change point. promise() tells
// the bound for what was learned: it holds if no execution has more actors or events than were seen.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "strategy/sampling.h"
#include "strategy/variables.h"

namespace ravel {

class ProbabilisticTesting final : public Sampling {
 public:
  struct Options {
    std::uint32_t depth = 3;      // of the bug, from 1
    std::uint32_t variables = 0;  // how many objects; 0: change points may be anywhere
    VariableOf variable_of = {};  // an object stands for its variable
  };
  ProbabilisticTesting(const Options& options, std::uint64_t seed, std::optional<std::uint64_t> executions)
      : Sampling(seed, executions), options_(options) {}

  std::string name() const override;
  std::string promise() const override;
  void observe(const Event& event) override;

 private:
  struct ChangePoint {
    std::uint64_t object;  // 0 if it is not about one
    std::uint64_t number;  // the how-many-th access, or event, from 1
    std::uint64_t priority;
  };

  void begin() override;
  Decision draw(const Point& point) override;
  void end(Outcome outcome) override;
  void write_learned(PositionWriter& writer) const override;
  void read_learned(PositionReader& reader) override;
  std::uint64_t& priority_of(ActorId actor);
  // The priority that the actor gets here, if this is a change point, which it then is no more.
  std::optional<std::uint64_t> take_change(const Point& point, const Transition& transition);

  const Options options_;
  std::uint64_t events_max_ = 0, actors_max_ = 0;   // of one execution
  std::map<std::uint64_t, std::uint64_t> accesses_max_;  // of those objects where a change can matter; 0: not counted yet
  std::uint64_t events_ = 0, actors_ = 0;           // of this one
  std::map<std::uint64_t, std::uint64_t> accesses_;
  std::vector<ChangePoint> changes_;
  std::vector<std::uint64_t> priorities_;           // by actor; 0: not drawn yet
};

}  // namespace ravel
