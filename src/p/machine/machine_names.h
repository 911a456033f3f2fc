// Names of machines: who created it, and the how-many-th of its machines it is.
//
// A machine has an index, in the order in which names were met, and a number, which values hold and by which
// they are ordered. The number depends on the name alone, so that sets of machines have the same order in
// whatever order machines were met. In it stand the ordinals on the way from the root, each as a prefix code
// that keeps the order (4, 9 or 15 bits), if they fit; else a hash of them, which comes after all others.
// Where two names have the same hash, the one that was met later takes the next number.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ravel::p {

class MachineNames {
 public:
  using Index = std::uint32_t;
  static constexpr Index kRoot = 0;
  static constexpr Index kTime = 1;  // of no machine, if there is a place for time

  enum class Time : bool { kIsNobody, kHasAPlace };
  explicit MachineNames(Time time = Time::kIsNobody);

  Index child(Index parent, std::uint32_t ordinal);
  std::uint32_t number(Index index) const { return names_[index].number; }
  Index index_of(std::uint32_t number) const { return by_number_.at(number); }
  // The ordinals from the root on.
  const std::vector<std::uint32_t>& path(Index index) const { return names_[index].path; }
  // REQUIRES: it is not the root's.
  Index parent(Index index) const { return names_[index].parent; }
  // P, P.1, P.1.2
  std::string text(Index index) const;
  std::size_t size() const { return names_.size(); }
  // All machines, parents before children, then by ordinals.
  const std::vector<Index>& in_order() const { return in_order_; }

 private:
  struct Name {
    std::vector<std::uint32_t> path;
    std::uint32_t number = 0;
    Index parent = kRoot;
  };
  Index add(std::vector<std::uint32_t> path, Index parent);

  std::vector<Name> names_;
  std::map<std::pair<Index, std::uint32_t>, Index> children_;
  std::unordered_map<std::uint32_t, Index> by_number_;
  std::vector<Index> in_order_;
};

}  // namespace ravel::p
