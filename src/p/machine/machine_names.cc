#include "p/machine/machine_names.h"

#include <algorithm>

#include "base/hash.h"

namespace ravel::p {
namespace {

constexpr unsigned kBits = 31;
constexpr std::uint32_t kHashed = std::uint32_t{1} << kBits;

struct Bits {
  std::uint32_t count, value;
};

// Smaller ordinals have smaller codes; 0000 ends a path. count 0: there is no code for it.
Bits code_of(std::uint32_t ordinal) {
  if (ordinal < 8) return {.count = 4, .value = ordinal};                      // 0xxx
  if (ordinal < 8 + 128) return {.count = 9, .value = 0x100 + (ordinal - 8)};  // 10xxxxxxx
  if (ordinal < 136 + 4096) return {.count = 15, .value = 0x6000 + (ordinal - 136)};
  return {.count = 0, .value = 0};
}

std::uint32_t number_of(const std::vector<std::uint32_t>& path) {
  std::uint32_t left = kBits, number = 0;
  std::uint64_t hash = 0;
  bool fits = true;
  for (const std::uint32_t ordinal : path) {
    hash = combine(hash, ordinal);
    const Bits code = code_of(ordinal);
    fits = fits && code.count != 0 && code.count <= left;
    if (!fits) continue;
    left -= code.count;
    number |= code.value << left;
  }
  return fits ? number : kHashed | static_cast<std::uint32_t>(hash >> 33);
}

}  // namespace

MachineNames::MachineNames(Time time) {
  add({}, kRoot);
  if (time == Time::kHasAPlace) names_.emplace_back();
}

MachineNames::Index MachineNames::add(std::vector<std::uint32_t> path, Index parent) {
  const auto index = static_cast<Index>(names_.size());
  std::uint32_t number = number_of(path);
  while (by_number_.contains(number)) number = (number + 1) | kHashed;
  by_number_.emplace(number, index);
  names_.push_back({.path = std::move(path), .number = number, .parent = parent});
  const auto at = std::ranges::upper_bound(in_order_, names_[index].path, {},
                                           [&](Index other) { return names_[other].path; });
  in_order_.insert(at, index);
  return index;
}

MachineNames::Index MachineNames::child(Index parent, std::uint32_t ordinal) {
  const auto known = children_.find({parent, ordinal});
  if (known != children_.end()) return known->second;
  std::vector<std::uint32_t> path = names_[parent].path;
  path.push_back(ordinal);
  const Index index = add(std::move(path), parent);
  children_.emplace(std::pair(parent, ordinal), index);
  return index;
}

std::string MachineNames::text(Index index) const {
  std::string text = "P";
  for (const std::uint32_t ordinal : names_[index].path) text += "." + std::to_string(ordinal);
  return text;
}

}  // namespace ravel::p
