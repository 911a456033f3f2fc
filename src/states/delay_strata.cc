#include "states/delay_strata.h"

namespace ravel {

void DelayStrata::open(StateNumber state) {
  if (way_.empty() && stratum_ == 0) driver_.begin();
  const std::span<const Transition> enabled = system_.enabled();
  driver_.arrive(state_, enabled, system_);
  const std::uint32_t delays = way_.empty() ? 0 : way_.back().delays - 1;
  way_.push_back({.next = {.state = state, .explorer = explorer_states_.number_of(state_), .place = 0},
                  .delays = delays,
                  .enabled = static_cast<std::uint32_t>(enabled.size())});
}

std::optional<DelayStrata::Choice> DelayStrata::next() {
  while (true) {
    if (way_.empty()) {
      if (resumed_ == resuming_.size() && !begin_stratum()) return std::nullopt;
      way_.push_back({.next = resuming_[resumed_++], .delays = stratum_, .enabled = kUnknown});
    }
    OnWay& from = way_.back();
    if (from.next.place < from.enabled && from.delays <= stratum_) {
      go_to_(from.next.state);
      const std::span<const Transition> enabled = system_.enabled();
      from.enabled = static_cast<std::uint32_t>(enabled.size());
      state_ = explorer_states_.state_of(from.next.explorer);
      const std::size_t index = driver_.choose(state_, enabled, from.next.place, system_);
      ++from.next.place;
      ++from.delays;
      return Choice{.state = from.next.state, .index = static_cast<std::uint32_t>(index)};
    }
    if (from.next.place < from.enabled) put_off_.push_back(from.next);
    way_.pop_back();
  }
}

// False if there is none.
bool DelayStrata::begin_stratum() {
  if (put_off_.empty() || (delays_max_ && stratum_ >= *delays_max_)) return false;
  resuming_.swap(put_off_);
  put_off_.clear();
  resumed_ = 0;
  ++stratum_;
  return true;
}

std::uint64_t DelayStrata::bytes() const {
  return way_.capacity() * sizeof(OnWay) + (put_off_.capacity() + resuming_.capacity()) * sizeof(PutOff) +
         explorer_states_.bytes();
}

}  // namespace ravel
