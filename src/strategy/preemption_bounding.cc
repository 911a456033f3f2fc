#include "strategy/preemption_bounding.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "strategy/alternatives.h"

namespace ravel {

std::string PreemptionBounding::name() const {
  if (!options_.bound_max) return "preemption bounding";
  return "preemption bounding up to " + std::to_string(*options_.bound_max);
}

Coverage PreemptionBounding::coverage() const {
  return {.kind = everything_done_ ? Coverage::Kind::kAllSchedules : Coverage::Kind::kPreemptionBound,
          .bound_completed = bound_completed_,
          .bound_current = bound_};
}

std::optional<Plan> PreemptionBounding::next_execution() {
  if (!started_) {
    started_ = true;
    return plan(0);
  }
  while (!levels_.empty()) {
    const std::size_t depth = levels_.size() - 1;
    if (pending_source_ != Source::kNone && pending_shared_ == depth) {
      follow_pending();
      CHECK(levels_.back().position < path_[depth]);
      levels_.back().position = path_[depth];
      return plan(depth);
    }
    if (advance(levels_.back())) {
      following_ = false;
      return plan(depth);
    }
    levels_.pop_back();
  }
  CHECK(pending_source_ == Source::kNone);
  bound_completed_ = bound_;
  everything_done_ = next_notes_.empty() && !next_rerun_from_;
  if (everything_done_ || (options_.bound_max && bound_ >= *options_.bound_max)) return std::nullopt;
  begin_stage();
  return plan(0);
}

Plan PreemptionBounding::plan(std::size_t keep) {
  keep_min_ = std::min(keep_min_, keep);
  deepest_cut_.reset();
  return Plan{.keep = keep};
}

// Moves to the next way from this level, if there is one.
bool PreemptionBounding::advance(Level& level) const {
  std::uint32_t next = level.position + 1;
  std::uint32_t end = level.alternatives;
  switch (level.ways) {
    case Ways::kGiven: return false;
    case Ways::kCut: next = std::max(next, level.free); break;
    case Ways::kAll:
      if (level.preemptions == bound_) end = level.free;
      break;
  }
  if (next >= end) return false;
  level.position = next;
  return true;
}

void PreemptionBounding::begin_stage() {
  ++bound_;
  notes_ = std::exchange(next_notes_, {});
  rerun_from_ = std::exchange(next_rerun_from_, std::nullopt);
  rerunning_ = false;
  noted_length_ = 0;
  keep_min_ = 0;
  path_.clear();
  pending_.clear();
  look_ahead();
  follow_pending();
}

// Reads the path after path_, which is also in pending_, or is empty.
void PreemptionBounding::look_ahead() {
  if (!notes_.empty()) {
    pending_shared_ = notes_.pop(pending_);
    pending_source_ = Source::kNotes;
  } else if (rerun_from_ && !rerunning_) {
    pending_shared_ =
        static_cast<std::size_t>(std::ranges::mismatch(path_, *rerun_from_).in1 - path_.begin());
    pending_ = *rerun_from_;
    pending_source_ = Source::kRerun;
  } else {
    pending_source_ = Source::kNone;
  }
}

void PreemptionBounding::follow_pending() {
  CHECK(pending_source_ != Source::kNone);
  path_ = pending_;
  following_ = true;
  if (pending_source_ == Source::kRerun) {
    rerunning_ = true;
    // What these levels had not come to lies after the path, so now it is found without notes.
    for (Level& level : levels_) level.ways = Ways::kAll;
  }
  look_ahead();
}

Decision PreemptionBounding::choose(const Point& point) {
  const Alternatives alternatives(point);
  if (point.depth == levels_.size())
    levels_.push_back(enter(point, alternatives.count(), alternatives.free()));
  CHECK(point.depth + 1 == levels_.size());
  const Level& level = levels_.back();
  CHECK(level.alternatives == alternatives.count() && level.preemptions == point.preemptions);
  // A given level is returned to if a later path leaves this one here.
  Level next = level;
  const bool may_return =
      level.ways == Ways::kGiven ? level.position + 1 < level.alternatives : advance(next);
  return Decision::take(alternatives.index(level.position), may_return ? Return::kMaybe : Return::kNever);
}

PreemptionBounding::Level PreemptionBounding::enter(const Point& point, std::uint32_t alternatives,
                                                    std::uint32_t free) {
  Level level{.position = 0,
              .alternatives = alternatives,
              .free = free,
              .preemptions = point.preemptions,
              .ways = Ways::kAll};
  const std::size_t depth = point.depth;
  // The next path may begin with all of this one: its ways come before the cuts at this level.
  if (following_ && depth == path_.size() && pending_source_ != Source::kNone && pending_shared_ == depth) {
    follow_pending();
  }
  if (following_ && depth <= path_.size() && !rerunning_) {
    const bool is_cut = level.can_preempt() && level.preemptions + 1 == bound_;
    level.ways = is_cut ? Ways::kCut : Ways::kGiven;
    if (depth < path_.size()) {
      level.position = path_[depth];
    } else {
      CHECK(is_cut);
      level.position = level.free;
      following_ = false;
    }
    return level;
  }
  if (following_ && depth < path_.size()) {
    level.position = path_[depth];
  } else {
    following_ = false;
  }
  if (level.preemptions == bound_ && level.can_preempt()) deepest_cut_ = depth;
  return level;
}

Novelty PreemptionBounding::end_execution(Outcome) {
  if (deepest_cut_ && !next_rerun_from_) {
    if (rerunning_) {
      next_rerun_from_ = rerun_from_;
    } else {
      Path path;
      for (std::size_t depth = 0; depth < *deepest_cut_; ++depth) path.push_back(levels_[depth].position);
      if (notes_.bytes() + next_notes_.bytes() < options_.notes_max) {
        const std::size_t shared = std::min(keep_min_, noted_length_);
        next_notes_.push(shared, std::span(path).subspan(shared));
        noted_length_ = path.size();
        keep_min_ = std::numeric_limits<std::size_t>::max();
      } else {
        next_rerun_from_ = std::move(path);
      }
    }
  }
  const std::uint32_t preemptions = levels_.empty() ? 0 : levels_.back().preemptions_after();
  CHECK(preemptions <= bound_);
  return preemptions == bound_ ? Novelty::kNew : Novelty::kRepeated;
}

}  // namespace ravel
