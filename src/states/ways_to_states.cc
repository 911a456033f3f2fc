#include "states/ways_to_states.h"

#include <algorithm>

namespace ravel {

namespace {

// How many states of a way are looked at for what grows, and how long it has to be.
constexpr std::size_t kSamples = 6, kWayToSample = 60;

}  // namespace

// This step and those before it, the last one first.
void WaysToStates::add_indices(Step step, std::vector<std::uint32_t>& indices) const {
  for (; step.index != kNone; step = origins_[step.state].from) indices.push_back(step.index);
}

std::vector<std::uint32_t> WaysToStates::indices() const {
  std::vector<std::uint32_t> indices;
  for (const OnWay& one : on_way_) indices.push_back(one.next - 1);
  if (!keeps_all_) return indices;
  add_indices(last_, indices);
  std::ranges::reverse(indices);
  return indices;
}

std::vector<std::uint32_t> WaysToStates::indices_to(StateNumber state) const {
  std::vector<std::uint32_t> indices;
  if (keeps_all_) {
    add_indices(origins_[static_cast<std::uint32_t>(state)].from, indices);
  } else {
    std::vector<Step> found_by(1);
    PositionReader reader(discoveries_.bytes());
    for (std::uint32_t number = 1; number <= static_cast<std::uint32_t>(state); ++number) {
      const auto distance = static_cast<std::uint32_t>(reader.get());
      found_by.push_back({.state = number - 1 - distance, .index = reader.get32()});
    }
    for (Step step = found_by.back(); step.index != kNone; step = found_by[step.state])
      indices.push_back(step.index);
  }
  std::ranges::reverse(indices);
  return indices;
}

std::vector<StateNumber> WaysToStates::samples() const {
  std::vector<StateNumber> states;
  for (const OnWay& one : on_way_) states.push_back(one.state);
  if (keeps_all_ && last_.index != kNone) {
    for (Step step = last_; step.index != kNone; step = origins_[step.state].from)
      states.push_back(StateNumber{step.state});
    std::ranges::reverse(states);
  }
  std::vector<StateNumber> samples;
  if (states.size() < kWayToSample) return samples;
  for (std::size_t i = 1; i <= kSamples; ++i) samples.push_back(states[states.size() * i / kSamples - 1]);
  return samples;
}

std::string WaysToStates::discoveries_by_origins() const {
  PositionWriter writer;
  for (std::uint32_t number = 1; number < size(); ++number) {
    writer.put(number - 1 - origins_[number].from.state);
    writer.put(origins_[number].from.index);
  }
  return writer.bytes();
}

}  // namespace ravel
