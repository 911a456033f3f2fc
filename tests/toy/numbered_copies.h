// The states of a toy system that were met: a copy of each, by number, and by the text that tells it apart.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/system.h"

namespace ravel::toy {

template <class State>
class NumberedCopies {
 public:
  MetState number(const std::string& text, const State& state) {
    const auto [place, is_new] = numbers_.try_emplace(text, static_cast<std::uint32_t>(copies_.size()));
    if (is_new) copies_.push_back(state);
    return {.number = StateNumber{place->second}, .is_new = is_new};
  }
  const State& copy_of(StateNumber state) const { return copies_.at(static_cast<std::uint32_t>(state)); }
  std::uint64_t bytes() const { return copies_.size() * sizeof(State); }

 private:
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<State> copies_;
};

}  // namespace ravel::toy
