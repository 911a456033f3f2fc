// Variable and thread bounding: preemptions only before accesses to v variables, and only the orders of t threads.
//
// For every set of at most v variables, those first that several actors touch: actors have fixed priorities, drawn as a
// random permutation, and the enabled one of the highest priority goes on. Before an access to one of the variables the
// running actor may be preempted: then what is left of it counts as another thread with the next priority of the permutation.
// With n actors and c preemptions there are n + c such fragments, and so many permutations are drawn that all orders of all
// t + c of them occur with the wanted probability. Within a set all ways to place 0, 1, ..., c preemptions are run for each
// permutation. So a bug with c preemptions at v variables that needs an order of t threads is found with that probability,
// in a number of executions that grows with the logarithm of the number of threads, and with how often v variables are
// accessed instead of all. Source: S. Bindal, S. Bansal, A. Lal, "Variable and thread bounding for systematic testing of
// multithreaded programs" (ISSTA 2013), algorithm 1 and lemma 4.1.
//
// Executions with the same happens-before relation as an earlier one are counted as repeated. Which variables and actors there
// are is learned while the search goes on: what is new is taken up in the next set.
//
// It asks the System what transitions will touch (System::pending). Where that does not know, there is no preemption.
//
// Memory: a hash for each execution, and the choices of one.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/strategy.h"
#include "strategy/happens_before_cache.h"

namespace ravel {

class VariableThreadBounding final : public Strategy {
 public:
  struct Options {
    std::uint32_t variables = 1;    // v
    std::uint32_t threads = 2;      // t, at least 2
    std::uint32_t preemptions = 1;  // c
    double miss = 0.05;             // the probability that some order does not occur
    std::uint64_t seed = 1;
  };

  explicit VariableThreadBounding(const Options& options) : options_(options), random_(options.seed), cache_(kRemembered) {}

  std::string name() const override;
  std::string promise() const override;
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override {
    return {.kind = Coverage::Kind::kSample, .bound_completed = {}, .bound_current = bound_};
  }
  std::optional<BugBounds> bounds() const override;

  // How many random permutations of n + c numbers show all orders of t + c of them, but for a probability `miss`: lemma 4.1.
  static std::uint64_t permutations_needed(std::uint64_t threads, std::uint64_t of, double miss);

 private:
  static constexpr std::size_t kRemembered = std::size_t{1} << 22;

  // A point where the running actor could be preempted.
  struct Choice {
    std::uint64_t variable;
    bool preempts;
  };
  struct Variable {
    std::uint64_t object;
    ActorId first_actor;
    bool is_shared;
  };

  bool next_placement();
  bool next_permutation();
  bool next_set();
  void draw_permutation();
  std::uint64_t priority_of(ActorId actor);

  const Options options_;
  Random random_;
  HappensBeforeCache cache_;  // of ends only

  std::vector<Variable> known_;                    // in the order in which they were met
  std::map<std::uint64_t, std::size_t> place_of_;  // in known_
  std::uint64_t actors_seen_ = 1;                  // the most of one execution
  std::uint64_t actors_max_ = 1;                   // for how many the permutation was drawn

  // Where the search is: the set, how many preemptions, the how-many-th permutation, the placement.
  std::vector<std::size_t> set_;                   // places in the order of sets
  std::vector<std::uint64_t> objects_;             // of the set
  std::vector<std::uint64_t> order_of_sets_;       // the objects, shared ones first; renewed for each size
  std::uint32_t bound_ = 0;
  std::uint64_t permutation_ = 0;
  std::vector<std::uint64_t> priorities_;          // the permutation: of fragments
  std::vector<Choice> choices_;
  std::size_t choice_ = 0;                         // the next one of this execution
  bool has_begun_ = false;

  // Of this execution.
  std::vector<std::uint64_t> fragment_of_;         // by actor: 0 is not met yet
  std::uint64_t actors_ = 0;
  std::uint32_t preempted_ = 0;
};

}  // namespace ravel
