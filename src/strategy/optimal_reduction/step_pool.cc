#include "strategy/optimal_reduction/step_pool.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace ravel {

namespace {

constexpr std::size_t kBucketsMin = 64;

std::uint64_t hash_of(const StepName& name, std::uint64_t close_key, std::span<const Touch> touches) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::uint64_t hash = number_of(name.event) * kFactor + number_of(name.sender);
  hash = hash * kFactor + (std::uint64_t{name.alternative} << 34 | std::uint64_t{name.touch} << 2 |
                           static_cast<std::uint64_t>(name.choice));
  hash = hash * kFactor + close_key;
  for (const Touch& touch : touches)
    hash = hash * kFactor + touch.object + static_cast<std::uint64_t>(touch.access);
  return mix(hash);
}

}  // namespace

std::uint32_t StepPool::use(const StepName& name, std::uint64_t close_key, bool ends_all,
                            std::span<const Touch> touches) {
  const std::uint64_t hash = hash_of(name, close_key, touches);
  if (!buckets_.empty())
    for (std::uint32_t at = buckets_[hash & (buckets_.size() - 1)]; at != kNone; at = entries_[at].next) {
      const Step& step = entries_[at].step;
      if (entries_[at].hash != hash || step.name != name || step.close_key != close_key ||
          step.ends_all != ends_all || !std::ranges::equal(step.touches, touches))
        continue;
      ++entries_[at].uses;
      return at;
    }
  if (spare_.empty()) {
    spare_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.emplace_back();
  }
  const std::uint32_t number = spare_.back();
  spare_.pop_back();
  Entry& entry = entries_[number];
  entry.step.name = name;
  entry.step.close_key = close_key;
  entry.step.ends_all = ends_all;
  entry.step.touches.assign(touches.begin(), touches.end());
  entry.step.summary = TouchSummary::of(touches);
  entry.hash = hash;
  entry.uses = 1;
  if (entries_.size() > buckets_.size())
    link_all(std::max(kBucketsMin, std::bit_ceil(entries_.size() * 2)));
  else
    link(number);
  return number;
}

void StepPool::drop(std::uint32_t number) {
  Entry& entry = entries_[number];
  if (--entry.uses > 0) return;
  std::uint32_t* at = &buckets_[entry.hash & (buckets_.size() - 1)];
  while (*at != number) at = &entries_[*at].next;
  *at = entry.next;
  spare_.push_back(number);
}

void StepPool::link(std::uint32_t number) {
  std::uint32_t& first = buckets_[entries_[number].hash & (buckets_.size() - 1)];
  entries_[number].next = first;
  first = number;
}

void StepPool::link_all(std::size_t buckets) {
  buckets_.assign(buckets, kNone);
  for (std::uint32_t number = 0; number < entries_.size(); ++number) {
    Entry& entry = entries_[number];
    if (entry.uses == 0) continue;
    entry.hash = hash_of(entry.step.name, entry.step.close_key, entry.step.touches);
    link(number);
  }
}

}  // namespace ravel
