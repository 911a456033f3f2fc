#include "strategy/counted_stages.h"

#include <utility>

#include "base/check.h"

namespace ravel {

CountedStages::CountedStages(Options options)
    : options_(std::move(options)),
      stage_(options_.first),
      inner_(options_.make(options_.first)),
      taken_{0} {}

std::string CountedStages::name() const { return inner_->name(); }

std::optional<Plan> CountedStages::next_execution() {
  std::optional<Plan> plan = inner_->next_execution();
  while (!plan && stage_ < options_.last) {
    completed_ = inner_->coverage();
    inner_ = options_.make(++stage_);
    inner_->begin_search(*services_);
    plan = inner_->next_execution();
  }
  if (plan) {
    CHECK_MESSAGE(!plan->from, "how many there were is known of the previous execution only");
    taken_.resize(plan->keep + 1);
    for (const Transition& step : plan->then)
      taken_.push_back(taken_.back() + (is_counted(step, taken_.size() - 1) ? 1 : 0));
  } else {
    is_complete_ = true;
  }
  return plan;
}

Decision CountedStages::choose(const Point& point) {
  CHECK(point.depth + 1 == taken_.size());
  const std::uint32_t before = taken_.back();
  allowed_.clear();
  index_of_.clear();
  for (std::size_t i = 0; i < point.enabled.size(); ++i) {
    if (is_counted(point.enabled[i], point.depth) && before >= stage_) continue;
    allowed_.push_back(point.enabled[i]);
    index_of_.push_back(i);
  }
  Point allowed = point;
  allowed.enabled = allowed_;
  const Decision decision = inner_->choose(allowed);
  if (decision.abandons()) return decision;
  const std::size_t index = index_of_[decision.index()];
  taken_.push_back(before + (is_counted(point.enabled[index], point.depth) ? 1 : 0));
  return Decision::take(index, decision.may_return());
}

Novelty CountedStages::end_execution(Outcome outcome) {
  const Novelty novelty = inner_->end_execution(outcome);
  const bool was_before = taken_.back() < stage_ && stage_ > options_.first;
  return novelty == Novelty::kNew && was_before ? Novelty::kRepeated : novelty;
}

Coverage CountedStages::coverage() const {
  const Coverage of_stage = inner_->coverage();
  Coverage coverage = is_complete_ || !completed_ ? of_stage : *completed_;
  for (Bound& bound : coverage.bounds)
    if (const Bound* const now = of_stage.bound(bound.on)) bound.current = now->current;
  if (is_complete_ || completed_)
    coverage.bounds.push_back({.on = options_.bound, .completed = is_complete_ ? stage_ : stage_ - 1});
  return coverage;
}

bool CountedStages::write_position(PositionWriter& writer) const {
  if (has_one_stage()) return inner_->write_position(writer);
  writer.put(stage_);
  if (stage_ > options_.first) {
    writer.put(kind_number(*completed_));
    const Bound* const bound = preemption_bound(*completed_);
    writer.put(bound != nullptr && bound->completed ? *bound->completed + 1 : 0);
  }
  return inner_->write_position(writer);
}

bool CountedStages::read_position(PositionReader& reader, Trials& trials) {
  if (has_one_stage()) return inner_->read_position(reader, trials);
  const std::uint32_t stage = reader.get32();
  if (stage < options_.first || stage > options_.last) return false;
  if (stage > options_.first) {
    const std::uint64_t kind = reader.get();
    const std::uint32_t bound = reader.get32();
    completed_ = coverage_of_kind(kind, bound > 0 ? std::optional(bound - 1) : std::nullopt);
    if (!completed_) return false;
    stage_ = stage;
    inner_ = options_.make(stage_);
  }
  return inner_->read_position(reader, trials);
}

std::string CountedStages::why_whole() const {
  if (!has_one_stage()) return "its stages come one after the other";
  return parts() != nullptr ? parts()->why_whole() : "it goes on from what it has found";
}

}  // namespace ravel
