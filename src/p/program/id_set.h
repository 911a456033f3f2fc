// A set of numbers of declarations, as bits; iterated in their order.

#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "p/program/ids.h"

namespace ravel::p {

template <typename Id>
class IdSet {
 public:
  bool contains(Id id) const {
    const std::size_t word = index(id) / 64;
    return word < words_.size() && (words_[word] >> (index(id) % 64) & 1) != 0;
  }
  bool is_empty() const { return words_.empty(); }

  void add(Id id) {
    const std::size_t word = index(id) / 64;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= std::uint64_t{1} << (index(id) % 64);
  }
  void remove(Id id) {
    const std::size_t word = index(id) / 64;
    if (word < words_.size()) words_[word] &= ~(std::uint64_t{1} << (index(id) % 64));
    shrink();
  }
  void add(const IdSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
  }

  friend IdSet operator|(IdSet a, const IdSet& b) { return a.add(b), a; }
  friend IdSet operator&(IdSet a, const IdSet& b) {
    for (std::size_t i = 0; i < a.words_.size(); ++i) a.words_[i] &= i < b.words_.size() ? b.words_[i] : 0;
    return a.shrink(), a;
  }
  friend IdSet operator-(IdSet a, const IdSet& b) {
    for (std::size_t i = 0; i < a.words_.size() && i < b.words_.size(); ++i) a.words_[i] &= ~b.words_[i];
    return a.shrink(), a;
  }
  friend bool operator==(const IdSet&, const IdSet&) = default;

  // The lowest one, if there is any.
  std::optional<Id> first() const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] != 0) return Id(i * 64 + static_cast<unsigned>(std::countr_zero(words_[i])));
    return std::nullopt;
  }
  std::vector<Id> ids() const {
    std::vector<Id> result;
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        result.push_back(Id(i * 64 + static_cast<unsigned>(std::countr_zero(rest))));
    return result;
  }

 private:
  void shrink() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }

  std::vector<std::uint64_t> words_;  // the last one is not 0, so that equal sets are equal vectors
};

using EventSet = IdSet<EventId>;
using InterfaceSet = IdSet<InterfaceId>;

}  // namespace ravel::p
