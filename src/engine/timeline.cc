#include "engine/timeline.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "base/check.h"

namespace ravel {

Timeline::Timeline(System& system, std::vector<Transition> schedule)
    : system_(system),
      schedule_(std::move(schedule)),
      spacing_(std::max(kSpacingMin, schedule_.size() / kKeptMax)) {
  system_.set_descriptions(Descriptions::kOn);
  system_.reset();
}

Timeline::~Timeline() {
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) system_.release(kept->second);
  system_.set_descriptions(Descriptions::kOff);
}

bool Timeline::go_to(std::size_t position) {
  CHECK(position <= schedule_.size());
  go_back_before(position);
  while (position_ < position) {
    if (position_ % spacing_ == 0) keep_snapshot();
    const std::size_t end = std::min(position, (position_ / spacing_ + 1) * spacing_);
    const std::size_t taken = system_.follow(std::span(schedule_).subspan(position_, end - position_));
    position_ += taken;
    if (position_ != end) return false;
  }
  return true;
}

// To the last place before that can be reached at once, if that is nearer than the present one.
void Timeline::go_back_before(std::size_t position) {
  const auto after = kept_.upper_bound(position);
  const bool is_before = position_ <= position;
  if (after != kept_.begin()) {
    const auto& [place, snapshot] = *std::prev(after);
    if (is_before && place <= position_) return;
    system_.restore(snapshot);
    position_ = place;
  } else if (!is_before) {
    system_.reset();
    position_ = 0;
  }
}

void Timeline::keep_snapshot() {
  if (!system_.parts().snapshots || system_.outcome() != Outcome::kRunning || kept_.contains(position_))
    return;
  if (const auto snapshot = system_.save()) kept_.emplace(position_, *snapshot);
}

}  // namespace ravel
