#include "strategy/early_stages.h"

#include <utility>

#include "base/check.h"

namespace ravel {

EarlyStages::EarlyStages(Options options)
    : options_(std::move(options)), stage_(options_.first), inner_(options_.make(options_.first)), early_{0} {}

std::string EarlyStages::name() const { return inner_->name(); }

std::optional<Plan> EarlyStages::next_execution() {
  std::optional<Plan> plan = inner_->next_execution();
  while (!plan && stage_ < options_.last) {
    completed_ = inner_->coverage();
    inner_ = options_.make(++stage_);
    plan = inner_->next_execution();
  }
  if (plan) {
    early_.resize(plan->keep + 1);
  } else {
    is_complete_ = true;
  }
  return plan;
}

Decision EarlyStages::choose(const Point& point) {
  CHECK(point.depth + 1 == early_.size());
  const std::uint32_t before = early_.back();
  const auto is_counted = [&](const Transition& one) { return one.kind == TransitionKind::kEarly && point.depth >= options_.prefix; };
  allowed_.clear();
  index_of_.clear();
  for (std::size_t i = 0; i < point.enabled.size(); ++i) {
    if (is_counted(point.enabled[i]) && before >= stage_) continue;
    allowed_.push_back(point.enabled[i]);
    index_of_.push_back(i);
  }
  Point allowed = point;
  allowed.enabled = allowed_;
  const Decision decision = inner_->choose(allowed);
  if (decision.abandons()) return decision;
  const std::size_t index = index_of_[decision.index()];
  early_.push_back(before + (is_counted(point.enabled[index]) ? 1 : 0));
  return Decision::take(index, decision.may_return());
}

Novelty EarlyStages::end_execution(Outcome outcome) {
  const Novelty novelty = inner_->end_execution(outcome);
  const bool was_before = early_.back() < stage_ && stage_ > options_.first;
  return novelty == Novelty::kNew && was_before ? Novelty::kRepeated : novelty;
}

Coverage EarlyStages::coverage() const {
  Coverage coverage = is_complete_ || !completed_ ? inner_->coverage() : *completed_;
  coverage.bound_current = inner_->coverage().bound_current;
  if (is_complete_) {
    coverage.early_completed = stage_;
  } else if (completed_) {
    coverage.early_completed = stage_ - 1;
  }
  return coverage;
}

bool EarlyStages::write_position(PositionWriter& writer) const {
  writer.put(stage_);
  if (stage_ > options_.first) {
    writer.put(static_cast<std::uint64_t>(completed_->kind));
    writer.put(completed_->bound_completed ? *completed_->bound_completed + 1 : 0);
  }
  return inner_->write_position(writer);
}

bool EarlyStages::read_position(PositionReader& reader, System& system) {
  const std::uint32_t stage = reader.get32();
  if (stage < options_.first || stage > options_.last) return false;
  if (stage > options_.first) {
    const std::uint64_t kind = reader.get();
    if (kind > static_cast<std::uint64_t>(Coverage::Kind::kSample)) return false;
    completed_ = Coverage{.kind = static_cast<Coverage::Kind>(kind), .bound_completed = {}, .bound_current = {}};
    if (const std::uint32_t bound = reader.get32(); bound > 0) completed_->bound_completed = bound - 1;
    stage_ = stage;
    inner_ = options_.make(stage_);
  }
  return inner_->read_position(reader, system);
}

}  // namespace ravel
