// The states of a delaying explorer, each once, by number.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "explorers/delaying_explorer.h"

namespace ravel {

class ExplorerStates {
 public:
  ExplorerStates() : numbers_(0, Hash{this}, Equal{this}) {}
  ExplorerStates(const ExplorerStates&) = delete;
  ExplorerStates& operator=(const ExplorerStates&) = delete;

  // Equal states have equal numbers.
  std::uint32_t number_of(const ExplorerState& state);
  ExplorerState state_of(std::uint32_t number) const;
  std::uint64_t bytes() const;

 private:
  std::span<const std::uint32_t> words_of(std::uint32_t number) const;

  struct Hash {
    const ExplorerStates* states;
    std::size_t operator()(std::uint32_t number) const;
  };
  struct Equal {
    const ExplorerStates* states;
    bool operator()(std::uint32_t a, std::uint32_t b) const;
  };

  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> ends_;  // in words_, by number
  std::unordered_set<std::uint32_t, Hash, Equal> numbers_;
};

}  // namespace ravel
