#include "strategy/counted_stages.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/part_source.h"
#include "engine/position.h"

namespace ravel {

namespace {

std::string why_whole(const Divisible* parts) {
  return parts != nullptr ? parts->why_whole() : "it goes on from what it has found";
}

}  // namespace

CountedStages::CountedStages(Options options)
    : options_(std::move(options)), stage_(options_.first), inner_(options_.make(options_.first)), taken_{0} {
  if (has_one_stage() || parts() == nullptr) return;
  const std::unique_ptr<Strategy> later = options_.make(options_.last);
  why_later_whole_ = ravel::why_whole(dynamic_cast<const Divisible*>(later.get()));
}

std::string CountedStages::name() const { return inner_->name(); }

std::optional<Plan> CountedStages::next_execution() {
  std::optional<Plan> plan = inner_->next_execution();
  while (!plan && stage_ < options_.last && !is_part_) {
    completed_ = inner_->coverage();
    begin_stage(stage_ + 1);
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

void CountedStages::begin_stage(std::uint32_t stage) {
  stage_ = stage;
  inner_ = options_.make(stage);
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

Coverage CountedStages::coverage() const { return with_stages(inner_->coverage(), is_complete_); }

Coverage CountedStages::with_stages(const Coverage& of_stage, bool is_complete) const {
  Coverage coverage = is_complete || !completed_ ? of_stage : *completed_;
  for (Bound& bound : coverage.bounds)
    if (const Bound* const now = of_stage.bound(bound.on)) bound.current = now->current;
  if (is_complete || completed_)
    coverage.bounds.push_back({.on = options_.bound, .completed = is_complete ? stage_ : stage_ - 1});
  return coverage;
}

void CountedStages::write_head(PositionWriter& writer) const {
  if (has_one_stage()) return;
  writer.put(stage_);
  if (stage_ == options_.first) return;
  writer.put(kind_number(*completed_));
  const Bound* const bound = preemption_bound(*completed_);
  writer.put(bound != nullptr && bound->completed ? *bound->completed + 1 : 0);
}

std::string CountedStages::head() const {
  PositionWriter writer;
  write_head(writer);
  return writer.bytes();
}

bool CountedStages::write_position(PositionWriter& writer) const {
  write_head(writer);
  return inner_->write_position(writer);
}

bool CountedStages::read_head(PositionReader& reader) {
  if (has_one_stage()) return true;
  const std::uint32_t stage = reader.get32();
  if (stage < options_.first || stage > options_.last) return false;
  if (stage == options_.first) return true;
  const std::uint64_t kind = reader.get();
  const std::uint32_t bound = reader.get32();
  completed_ = coverage_of_kind(kind, bound > 0 ? std::optional(bound - 1) : std::nullopt);
  if (!completed_) return false;
  begin_stage(stage);
  return true;
}

bool CountedStages::read_position(PositionReader& reader, Trials& trials) {
  return read_head(reader) && inner_->read_position(reader, trials);
}

// ---- Parts -----------------------------------------------------------------------------------------------

// That of the stage's strategy, one after the other. Positions have the head of their stage.
class CountedStages::Source final : public PartSource {
 public:
  Source(const Options& options, System& system) : system_(system), stages_(options) {}

  // From where one process was, or from what position() has said. False: that makes no sense.
  bool begin(const std::string& position) {
    PositionReader reader(position);
    return stages_.read_head(reader) && position.starts_with(stages_.head()) &&
           begin_stage(position.substr(stages_.head().size()));
  }

  std::optional<Part> hand_out() override {
    std::optional<Part> part = of_stage_->hand_out();
    if (!part) return part;
    part->number += first_part_;
    part->position = head_ + part->position;
    next_part_ = std::max(next_part_, part->number + 1);
    return part;
  }
  bool has_waiting() const override { return of_stage_->has_waiting(); }
  bool is_done() const override { return of_stage_->is_done(); }
  bool commit(PartNumber part, std::string_view notes) override {
    return of_stage_->commit(part - first_part_, notes);
  }
  void keep(PartNumber part, std::string position) override {
    CHECK(position.starts_with(head_));
    of_stage_->keep(part - first_part_, position.substr(head_.size()));
  }
  void finish(PartNumber part, bool has_all) override {
    of_stage_->finish(part - first_part_, has_all);
    if (!of_stage_->is_done() || stages_.stage_ == stages_.options_.last) return;
    stages_.completed_ = coverage_of_stage();
    stages_.begin_stage(stages_.stage_ + 1);
    PositionWriter nothing_yet;
    CHECK(stages_.inner_->write_position(nothing_yet));
    CHECK(begin_stage(nothing_yet.bytes()));
  }
  // The last stage runs those of the stages before again.
  bool has_all() const override { return of_stage_->has_all(); }
  Division divide(PartNumber part) override { return of_stage_->divide(part - first_part_); }
  void take_back(PartNumber part) override { of_stage_->take_back(part - first_part_); }
  std::string position() const override { return head_ + of_stage_->position(); }
  std::optional<std::vector<Bound>> bounds() const override {
    return stages_.with_stages(coverage_of_stage(), is_done()).bounds;
  }
  std::optional<double> executions_estimate(std::uint64_t so_far,
                                            std::optional<double> of_parts) const override {
    if (stages_.stage_ < stages_.options_.last) return std::nullopt;
    return of_stage_->executions_estimate(so_far, of_parts);
  }
  PartPlace beginning_of(PartNumber part) const override {
    return place_of(of_stage_->beginning_of(part - first_part_));
  }
  std::vector<PartPlace> left() const override {
    std::vector<PartPlace> places;
    for (PartPlace& place : of_stage_->left()) places.push_back(place_of(std::move(place)));
    return places;
  }

 private:
  bool begin_stage(std::string position) {
    head_ = stages_.head();
    first_part_ = next_part_;
    of_stage_ = stages_.parts()->make_source(system_, std::move(position));
    return of_stage_ != nullptr;
  }
  Coverage coverage_of_stage() const {
    Coverage coverage = stages_.inner_->coverage();
    if (auto bounds = of_stage_->bounds()) coverage.bounds = std::move(*bounds);
    return coverage;
  }
  PartPlace place_of(PartPlace of_stage) const {
    of_stage.insert(of_stage.begin(), stages_.stage_);
    return of_stage;
  }

  System& system_;
  CountedStages stages_;  // says which stage it is, and has its strategy, which does not run
  std::string head_;
  std::unique_ptr<PartSource> of_stage_;
  PartNumber first_part_ = 0, next_part_ = 0;  // of the stage, and of all
};

std::unique_ptr<PartSource> CountedStages::make_source(System& system, std::string position) const {
  if (has_one_stage()) return parts()->make_source(system, std::move(position));
  auto source = std::make_unique<Source>(options_, system);
  if (!source->begin(position)) return nullptr;
  return source;
}

bool CountedStages::is_of_source(std::string_view position) const {
  PositionReader reader(position);
  CountedStages stages(options_);
  if (!stages.read_head(reader)) return false;
  const std::string head = stages.head();
  return position.starts_with(head) && parts()->is_of_source(position.substr(head.size()));
}

std::string CountedStages::why_whole() const {
  const std::string why = ravel::why_whole(parts());
  return why.empty() ? why_later_whole_ : why;
}

}  // namespace ravel
