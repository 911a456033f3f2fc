// Searches with faults (TransitionKind::kFault) by a strategy that goes from trace to trace by footprints:
// one search for each plan of faults, those with fewer faults first.
//
// The idea: that there may be only so many faults is what no footprint tells, and neither is it that a fault
// could have come although none has. So nothing is left to races: a plan says which faults there are, each by
// the actor that it strikes, how many events of its own that actor has had before, and how often time has
// passed. In an execution by a plan a fault is the next step of its actor, and no choice: at that place
// nothing else of that actor is there, and nowhere is another fault there. Races of the fault with other
// events, such as those of a process that is killed with whoever asks whether it lives, are reversed like all
// others. The first plan has no fault. In each execution in which all faults of its plan have happened every
// other fault that was listed makes a new plan, with one fault more.
//
// All traces are met: of one, leave out its last fault and what comes after it. What is left is the beginning
// of an execution by a plan with a fault less, whose search runs an execution that contains it, and in which
// the same fault is listed where the actor is at the same place. That is why a fault has to depend only on
// what its actor has done: whether it is listed must follow from that. Traces of two plans are different.
// Executions in which not all faults of their plan have happened are those of a smaller plan again, and are
// told as repeated.
//
// Cost: a search for each place at which a fault could be. Memory: the plans, and one search.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/strategy.h"

namespace ravel {

class FaultPlans final : public Strategy {
 public:
  struct Options {
    std::uint32_t faults_max = 0;
    std::function<std::unique_ptr<Strategy>()> make;  // of a search that compares executions by footprints
  };
  explicit FaultPlans(Options options);

  std::string name() const override { return inner_->name(); }
  void begin_search(SearchServices& services) override;
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override { inner_->observe(event); }
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override;
  std::optional<std::vector<std::size_t>> causes_of(std::size_t event) const override {
    return inner_->causes_of(event);
  }
  void interrupt_by(Interruption interruption) override;
  bool has_given_up() const override { return inner_->has_given_up(); }
  std::size_t plans() const { return known_.size(); }

 private:
  struct Fault {
    ActorId actor{};
    std::uint32_t alternative = 0;
    std::uint32_t events = 0;  // of that actor, before
    std::uint32_t passed = 0;  // how often time has passed before
    friend auto operator<=>(const Fault&, const Fault&) = default;
  };
  using Faults = std::vector<Fault>;  // in order

  bool fits_plan(const Fault& fault, SystemView& system) const;
  void begin_plan();
  void follow(const Transition& transition);
  void go_back(std::size_t length);
  Fault fault_of(const Transition& transition, std::uint32_t events, std::uint32_t passed) const {
    return {
        .actor = transition.actor, .alternative = transition.alternative, .events = events, .passed = passed};
  }
  // Takes out what the plan does not allow after so many events of each actor.
  template <class EventsOf>
  void restrict(std::vector<Transition>& enabled, std::uint32_t passed, EventsOf events_of);
  void restrict_trial(std::span<const Transition> before, std::vector<Transition>& enabled);

  const Options options_;
  std::unique_ptr<Strategy> inner_;
  SearchServices* services_ = nullptr;
  Interruption interruption_;

  Faults plan_;
  std::deque<Faults> left_;  // plans that were not begun
  std::set<Faults> known_;   // all plans
  bool is_complete_ = true;  // each search so far
  bool is_over_ = false;

  // Of the execution at hand
  std::vector<Transition> taken_;
  std::vector<std::uint32_t> events_;      // by actor
  std::uint32_t passed_ = 0;               // how often time has
  std::vector<std::vector<Fault>> other_;  // by depth, the faults that the plan does not have
  std::vector<Transition> allowed_;
  std::vector<std::size_t> index_of_;  // of the allowed ones in the point
};

}  // namespace ravel
