// Variable and thread bounding: preemptions only before accesses to v variables, and only the orders of t
// threads.
//
// Actors have fixed priorities, in the order of a permutation, and the enabled one of the highest priority
// goes on. Before an access to one of the variables of a set the running actor may be preempted: then what is
// left of it counts as another thread with a priority of its own. With n actors and c preemptions there are n
// + c such fragments, and the permutations that are run have all orders of all t + c of them (order_cover.h).
// First come executions without a preemption. Then for c = 1, 2, ..., for v = 1, 2, ..., for t = 2, 3, ...:
// for every set of v variables, those first that several actors touch, all ways to place at most c
// preemptions for each permutation; first of those sets that have variables of the iteration number 0 only
// (variables.h), then of those with one of the number 1, and so on: of what a loop makes, the first ones come
// first. So a bug with c preemptions at v variables that needs an order of t threads is found among the first
// of its kind, in a number of executions that grows with the logarithm of the number of threads, and with how
// often v variables are accessed instead of all. Source: S. Bindal, S. Bansal, A. Lal, "Variable and thread
// bounding for systematic testing of multithreaded programs" (ISSTA 2013), algorithm 1 and lemma 4.1, where c
// is increased for each set by itself.
//
// Where an actor has several ways to go on, the first permutation takes the first of them, others take any.
//
// Pruning: what comes after a point where a preemption is possible follows from the happens-before relation
// so far, and from the order of the fragments that are still there. Where another execution for the same set
// has come to a point where both are the same, an execution is given up. (The paper compares the relation
// only, also between permutations, and so gives up executions that could still show another order of
// threads.) Complete executions with the same happens-before relation as an earlier one for the same set are
// counted as repeated. Which actors there are, and which variables somebody accesses while others could go
// on, is learned while the search goes on: what is new is taken up in the next set.
//
// So what is run for a set follows from the set and from what was learned before. Parts of the search are
// some sets of a stage each (variable_thread_parts.cc).
//
// It asks the System what transitions will touch (System::pending). Where that does not know, there is no
// preemption.
//
// Memory: some 50 bytes for each of the first 4 million executions of a set, and for each of its first 4
// million points; the choices of one execution.

#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/divisible.h"
#include "engine/strategy.h"
#include "strategy/happens_before_cache.h"
#include "strategy/order_cover.h"
#include "strategy/variables.h"

namespace ravel {

class VariableThreadBounding final : public Strategy, public Divisible {
 public:
  struct Options {
    std::uint32_t variables = 1;                   // v
    std::uint32_t threads = 2;                     // t, at least 2
    std::uint32_t preemptions = 1;                 // c
    std::optional<std::uint32_t> iterations = {};  // the largest iteration number of variables; none: any
    double miss = 0.05;                            // the probability that some order does not occur
    std::uint64_t seed = 1;
    VariableOf variable_of = {};
  };

  explicit VariableThreadBounding(const Options& options) : options_(options), cache_(kRemembered) {}

  std::string name() const override;
  std::string promise() const override;
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override;
  std::optional<BugBounds> bounds() const override;
  bool write_position(PositionWriter& writer) const override;
  bool read_position(PositionReader& reader, Trials&) override { return read(reader); }

  // `from_level`: how many sets the part has, from the one that it is at; 0 is all that are left of the
  // stage.
  void become_part(std::uint32_t from_level) override;
  // What is known of the program by now.
  std::string take_notes() override;
  std::unique_ptr<PartSource> make_source(System& system, std::string position) const override;
  bool is_of_source(std::string_view) const override { return false; }

 private:
  class Source;
  static constexpr std::uint32_t kThreadsMin = 2;
  static constexpr std::size_t kRemembered = std::size_t{1} << 22;
  // Positions of an earlier form, without the number of the set, begin with 0 or 1.
  static constexpr std::uint64_t kPositionFormat = 2;

  // A point where the running actor could be preempted.
  struct Choice {
    std::uint64_t variable;
    bool preempts;
    std::uint64_t object = 0;  // in the execution that has come there last
  };
  struct Known {
    Variable variable;
    std::uint64_t first_actor;  // a hash of its name
    bool is_shared;
  };

  bool advance();
  bool next_placement();
  bool next_permutation();
  bool next_set();
  bool begin_stage();
  bool next_stage();
  bool enter_set() { return has_iteration() && begin_set(); }
  bool begin_set();
  bool has_iteration() const;
  std::optional<std::uint32_t> iteration_of_new() const;
  std::optional<std::uint32_t> next_iteration() const;
  bool grow_set();
  void note_completed();
  const OrderCover& cover();
  void take_permutation();
  void note_variable(SystemView& system, const Transition& transition);
  std::uint64_t priority_of(ActorId actor);
  std::uint64_t situation() const;
  void write_learned(PositionWriter& writer) const;
  void read_learned(PositionReader& reader);
  bool read(PositionReader& reader);
  void go_to(std::uint64_t set, std::string_view learned);

  const Options options_;
  HappensBeforeCache cache_;

  std::vector<Known> known_;                       // in the order in which they were met
  std::map<std::uint64_t, std::size_t> place_of_;  // in known_, by name
  std::uint32_t actors_seen_ = 1;                  // the most of one execution
  std::uint32_t actors_max_ = 1;                   // for how many the permutation is
  bool is_exact_ = true;                           // no order was left to chance
  bool has_drawn_ = false;                         // one of the ways of an actor, in some execution

  // Where the search is: how many preemptions, the size of sets, the number of threads, the largest iteration
  // number in a set, the set, the permutation, the placement.
  std::uint32_t bound_ = 0;
  std::uint32_t actors_of_stage_ = 1;  // how many were known when it began
  std::size_t known_of_stage_ = 0;     // how many variables were known when it began
  std::uint32_t size_ = 0;
  std::uint32_t threads_ = 2;
  std::uint32_t iteration_ = 0;
  std::optional<BugBounds> completed_;   // the last completed stage
  std::size_t known_with_fewer_ = 0;     // variables for which all was run with one thread less
  std::uint32_t actors_with_fewer_ = 0;  // actors for which all was run with one thread less
  std::vector<std::size_t> set_;         // places in the order of sets
  std::uint64_t set_number_ = 0;         // how many sets of the stage come before, whether run or not
  bool enters_set_ = false;              // nothing was planned for it yet
  std::vector<std::uint64_t> names_;     // of the variables of the set
  // Places in known_, shared ones first; renewed for each stage
  std::vector<std::uint64_t> order_of_sets_;
  std::size_t permutation_ = 0;
  std::vector<std::uint64_t> priorities_;  // of fragments
  std::vector<Choice> choices_;
  std::size_t choice_ = 0;  // the next one of this execution
  bool has_begun_ = false;
  bool has_ended_ = true;                                               // the execution that was planned last
  bool is_part_ = false;                                                // of the stage
  std::uint64_t sets_end_ = std::numeric_limits<std::uint64_t>::max();  // the part ends before that one
  // By the number of actors, of preemptions, and of threads.
  std::map<std::array<std::uint32_t, 3>, OrderCover> covers_;

  // Of this execution.
  std::vector<std::uint64_t> fragment_of_;  // by actor: 0 is not met yet
  std::uint32_t actors_ = 0;
  std::uint32_t preempted_ = 0;
  std::uint64_t drawn_ = 0;  // among the ways of an actor
};

}  // namespace ravel
