// Probabilistic concurrency testing: random priorities of actors, which change at d - 1 random places.
//
// The enabled actor of the highest priority goes on. At a change point the actor that is about to move gets a
// priority below all that actors begin with, and a random place among those that were lowered before. A bug
// that needs d ordering constraints (of depth d) is found in an execution with a probability of at least 1 /
// (n k^(d-1)), for n actors and k places. Source: S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, "A
// randomized scheduler with probabilistic guarantees of finding bugs" (ASPLOS 2010).
//
// Changes that the paper draws, too, and that change nothing by themselves are left out: whatever a bug of
// depth d needs, a later change does as well, so the bound holds for a smaller k. (That nothing is out of
// reach is tested, the bound itself is argued only.) Places are the events from the first to the last one of
// an execution before which several actors could go on; where only one can, it keeps its priority until
// another one can as well; and it then gets none with which it would go on.
//
// With a number v of variables (PCTVB) each execution draws v objects out of the Q that somebody was seen to
// access while others could go on, and the change points are accesses to these; k is then the sum of how
// often they are accessed, and the bound is that of theorem 3.1 of S. Bindal, S. Bansal, A. Lal, "Variable
// and thread bounding for systematic testing of multithreaded programs" (ISSTA 2013), divided by the number
// of ways to draw v of Q. A bug among objects that are seldom accessed is found earlier so.
//
// How many places there are is learned from the executions before. For the first one it is guessed: as many
// powers of two are alike. With variables that has no change point. promise() tells the bound for what was
// learned: it holds if no execution has more actors or events than were seen.

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

 private:
  struct ChangePoint {
    std::uint64_t object;  // 0 if it is not about one
    std::uint64_t number;  // the how-many-th access, or event since several actors could go on, from 1
  };

  void begin() override;
  Decision draw(const Point& point) override;
  void note(const Event& event) override;
  void end(Outcome outcome) override;
  void write_learned(PositionWriter& writer) const override;
  bool read_learned(PositionReader& reader) override;
  std::uint64_t& priority_of(ActorId actor);
  std::size_t highest(const Point& point);
  // Whether the event that is about to happen is counted.
  bool is_place() const { return is_contended_ || events_ > 0; }
  // Whether this is a change point, which it then is no more.
  bool take_change(const Point& point, const Transition& transition);
  // Puts the actor of enabled[index] among those that were lowered.
  void lower(const Point& point, std::size_t index);

  const Options options_;
  std::uint64_t events_max_ = 0, actors_max_ = 0;  // of one execution; events up to the last contended one
  // Accesses to those objects where a change can matter; 0: not counted yet
  std::map<std::uint64_t, std::uint64_t> accesses_max_;
  std::uint64_t events_ = 0, actors_ = 0;  // of this one; events since the first contended one
  std::uint64_t last_contended_ = 0;
  std::map<std::uint64_t, std::uint64_t> accesses_;
  bool is_contended_ = false;  // several actors can go on
  std::vector<ChangePoint> changes_;
  std::vector<std::uint64_t> priorities_;  // by actor; 0: not drawn yet
  std::vector<ActorId> to_lower_;          // actors at change points; some wait until others can go on
  std::vector<ActorId> lowered_;           // by change points, the lowest one first
};

}  // namespace ravel
