#include "strategy/happens_before_cache.h"

#include "base/hash.h"

namespace ravel {

namespace {

constexpr std::uint64_t kEnd = 1;

}  // namespace

void HappensBeforeCache::rewind(std::size_t length) {
  if (length >= history_.length()) return;
  history_.rewind(length);
  history_.truncate(marks_[length]);
  marks_.resize(length);
  schedules_.resize(length);
}

void HappensBeforeCache::see(const Point& point) {
  system_ = point.system;
  history_.see_enabled(point.enabled, *point.system);
}

bool HappensBeforeCache::was_here(const Point& point) {
  see(point);
  if (point.enabled.size() < 2) return false;
  const std::uint64_t previous = point.previous ? history_.name_hash(*point.previous) : 0;
  return reached_otherwise(combine(history_.state_hash(), previous), point.preemptions);
}

bool HappensBeforeCache::was_here_in(std::uint64_t situation) {
  const std::uint64_t schedule = schedules_.empty() ? 0 : schedules_.back();
  const std::uint64_t key = combine(history_.state_hash(), situation);
  const auto known = situations_.find(key);
  if (known != situations_.end()) return known->second != schedule;
  if (situations_.size() < capacity_) situations_.emplace(key, schedule);
  return false;
}

bool HappensBeforeCache::was_at_end() { return reached_otherwise(combine(history_.trace_hash(), kEnd), 0); }

bool HappensBeforeCache::reached_otherwise(std::uint64_t key, std::uint32_t preemptions) {
  const std::uint64_t schedule = schedules_.empty() ? 0 : schedules_.back();
  const auto known = reached_.find(key);
  if (known == reached_.end()) {
    if (reached_.size() < capacity_)
      reached_.emplace(key, Reached{.schedule = schedule, .preemptions = preemptions});
    return false;
  }
  Reached& before = known->second;
  if (before.preemptions < preemptions) return true;
  if (before.preemptions == preemptions) return before.schedule != schedule;
  before = {.schedule = schedule, .preemptions = preemptions};
  return false;
}

void HappensBeforeCache::observe(const Event& event) {
  marks_.push_back(history_.mark());
  const std::uint64_t before = schedules_.empty() ? 0 : schedules_.back();
  history_.append(event, *system_);
  schedules_.push_back(combine(before, history_.name_hash(event.actor) + event.alternative));
  if (system_->stops_others()) history_.mark_as_end();
}

void HappensBeforeCache::write_position(PositionWriter& writer) const {
  writer.put_all(reached_, [&](const auto& entry) {
    writer.put(entry.first);
    writer.put(entry.second.schedule);
    writer.put(entry.second.preemptions);
  });
  writer.put_all(situations_, [&](const auto& entry) {
    writer.put(entry.first);
    writer.put(entry.second);
  });
}

void HappensBeforeCache::read_position(PositionReader& reader) {
  reader.get_all([&] {
    const std::uint64_t key = reader.get(), schedule = reader.get();
    reached_[key] = {.schedule = schedule, .preemptions = reader.get32()};
  });
  reader.get_all([&] {
    const std::uint64_t key = reader.get();
    situations_[key] = reader.get();
  });
}

}  // namespace ravel
