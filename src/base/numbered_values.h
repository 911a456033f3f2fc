// Distinct values, each stored once and numbered in the order in which they were met: for few values that
// are met often, as the labels of a graph's edges.
//
// Cost: mostly a hash and a comparison, with the value that had the same place when it was met last.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ravel {

// `Hash` gives a std::size_t whose last bits depend on all of the value.
template <class T, class Hash>
class NumberedValues {
 public:
  std::uint32_t number_of(const T& value) {
    const std::size_t hash = Hash()(value);
    std::uint32_t& recent = recent_[hash % kRecent];
    if (recent < values_.size() && values_[recent] == value) return recent;
    const auto [place, is_new] = numbers_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
    if (is_new) values_.push_back(value);
    return recent = place->second;
  }
  const T& operator[](std::uint32_t number) const { return values_[number]; }
  std::size_t size() const { return values_.size(); }

 private:
  static constexpr std::size_t kRecent = 256;

  std::vector<T> values_;
  std::unordered_map<T, std::uint32_t, Hash> numbers_;  // looked up, never walked through
  std::array<std::uint32_t, kRecent> recent_{};
};

}  // namespace ravel
