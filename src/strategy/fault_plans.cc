#include "strategy/fault_plans.h"

#include <algorithm>

#include "base/check.h"

namespace ravel {

FaultPlans::FaultPlans(Options options) : options_(std::move(options)), inner_(options_.make()) {
  known_.insert(plan_);
}

void FaultPlans::begin_search(SearchServices& services) {
  services_ = &services;
  services.trials().restrict_by([this](std::span<const Transition> before, std::vector<Transition>& enabled) {
    restrict_trial(before, enabled);
  });
  begin_plan();
}

void FaultPlans::begin_plan() {
  if (interruption_) inner_->interrupt_by(interruption_);
  inner_->begin_search(*services_);
}

void FaultPlans::interrupt_by(Interruption interruption) {
  interruption_ = std::move(interruption);
  inner_->interrupt_by(interruption_);
}

std::optional<Plan> FaultPlans::next_execution() {
  std::optional<Plan> plan = inner_->next_execution();
  while (!plan && !inner_->has_given_up() && !left_.empty()) {
    is_complete_ &= inner_->coverage().is_complete;
    plan_ = std::move(left_.front());
    left_.pop_front();
    services_->trials().change_listener();
    inner_ = options_.make();
    begin_plan();
    plan = inner_->next_execution();
  }
  if (!plan) {
    is_over_ = !inner_->has_given_up();
    return plan;
  }
  CHECK_MESSAGE(!plan->from && plan->then.empty(), "a search by footprints chooses each step");
  go_back(plan->keep);
  return plan;
}

void FaultPlans::go_back(std::size_t length) {
  for (; taken_.size() > length; taken_.pop_back()) {
    --events_[static_cast<std::uint32_t>(taken_.back().actor)];
    if (taken_.back().kind == TransitionKind::kPasses) --passed_;
  }
  other_.resize(std::min(other_.size(), length));
}

void FaultPlans::follow(const Transition& transition) {
  const auto actor = static_cast<std::uint32_t>(transition.actor);
  if (actor >= events_.size()) events_.resize(actor + 1);
  ++events_[actor];
  if (transition.kind == TransitionKind::kPasses) ++passed_;
  taken_.push_back(transition);
}

template <class EventsOf>
void FaultPlans::restrict(std::vector<Transition>& enabled, std::uint32_t passed, EventsOf events_of) {
  const auto is_planned = [&](const Transition& one) {
    return one.kind == TransitionKind::kFault && std::ranges::any_of(plan_, [&](const Fault& fault) {
             return fault == fault_of(one, events_of(one.actor), passed);
           });
  };
  // The actors that a planned fault strikes here do nothing else.
  std::vector<ActorId> struck;
  std::erase_if(enabled, [&](const Transition& one) {
    if (one.kind != TransitionKind::kFault) return false;
    if (!is_planned(one)) return true;
    struck.push_back(one.actor);
    return false;
  });
  if (!struck.empty())
    std::erase_if(enabled, [&](const Transition& one) {
      return one.kind != TransitionKind::kFault && std::ranges::find(struck, one.actor) != struck.end();
    });
  // Time passes where nothing else happens.
  if (enabled.size() > 1)
    std::erase_if(enabled, [](const Transition& one) { return one.kind == TransitionKind::kPasses; });
}

void FaultPlans::restrict_trial(std::span<const Transition> before, std::vector<Transition>& enabled) {
  std::uint32_t passed = 0;
  if (!plan_.empty())
    passed =
        static_cast<std::uint32_t>(std::ranges::count(before, TransitionKind::kPasses, &Transition::kind));
  restrict(enabled, passed, [&](ActorId actor) {
    return static_cast<std::uint32_t>(std::ranges::count(before, actor, &Transition::actor));
  });
}

Decision FaultPlans::choose(const Point& point) {
  CHECK(point.depth == taken_.size());
  const auto events_of = [&](ActorId actor) {
    const auto index = static_cast<std::uint32_t>(actor);
    return index < events_.size() ? events_[index] : 0;
  };
  allowed_.assign(point.enabled.begin(), point.enabled.end());
  restrict(allowed_, passed_, events_of);
  other_.resize(point.depth + 1);
  other_.back().clear();
  for (const Transition& one : point.enabled)
    if (const Fault fault = fault_of(one, events_of(one.actor), passed_);
        one.kind == TransitionKind::kFault && fits_plan(fault, *point.system))
      other_.back().push_back(fault);
  Point allowed = point;
  allowed.enabled = allowed_;
  const Decision decision = inner_->choose(allowed);
  if (decision.abandons()) return decision;
  const Transition chosen = allowed_[decision.index()];
  follow(chosen);
  const auto index = std::ranges::find(point.enabled, chosen) - point.enabled.begin();
  return Decision::take(static_cast<std::size_t>(index), decision.may_return());
}

// An actor is struck once at a place; and there may be only so many faults of a kind.
bool FaultPlans::fits_plan(const Fault& fault, SystemView& system) const {
  if (plan_.size() >= options_.faults_max) return false;
  const auto is_at_place = [&](const Fault& one) {
    return one.actor == fault.actor && one.events == fault.events;
  };
  if (std::ranges::any_of(plan_, is_at_place)) return false;
  const auto taken = std::ranges::count_if(taken_, [&](const Transition& one) {
    return one.kind == TransitionKind::kFault && one.alternative == fault.alternative;
  });
  const auto planned = std::ranges::count(plan_, fault.alternative, &Fault::alternative);
  return planned < taken + system.faults_left(fault.alternative);
}

Novelty FaultPlans::end_execution(Outcome outcome) {
  const Novelty novelty = inner_->end_execution(outcome);
  if (novelty != Novelty::kNew) return novelty;
  if (count_faults(taken_) < plan_.size()) return Novelty::kRepeated;
  for (const std::vector<Fault>& at_depth : other_)
    for (const Fault& fault : at_depth) {
      Faults more = plan_;
      more.insert(std::ranges::upper_bound(more, fault), fault);
      if (known_.insert(more).second) left_.push_back(std::move(more));
    }
  return novelty;
}

// The plans are tried by size.
Coverage FaultPlans::coverage() const {
  Coverage coverage = inner_->coverage();
  coverage.is_complete = is_over_ && is_complete_ && coverage.is_complete;
  const auto size = static_cast<std::uint32_t>(plan_.size());
  if (is_over_ || size > 0)
    coverage.bounds.push_back(
        {.on = BoundOn::kFaults, .completed = is_over_ ? options_.faults_max : size - 1});
  return coverage;
}

}  // namespace ravel
