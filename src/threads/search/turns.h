// Two strategies that take turns on one program: each goes on from where it was, for more events than in its
// turn before, until one of them is done. Some tests are soon complete by reduction, in others a bug is
// soon found with one preemption, and nobody knows before which ones: in turns, either takes about twice its
// own time.
//
// A turn's end is a number of events, so that the search is the same on every machine.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/exploration.h"

namespace ravel::threads {

struct Turn {
  std::string strategy;
  bool is_fair = true;  // Configuration::is_fair, for this strategy
  // The strategy gets no more turns in this run; only with more memory it might still be complete
  bool is_over = false;
  Exploration so_far = {};  // with its position, unless it can't go on
};

using Turns = std::array<Turn, 2>;  // the first turn answers for a search that a budget ends

inline constexpr std::uint64_t kFirstTurnEvents = 200'000;
inline constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};

// How many comparisons of steps, between two executions, take about as long as an event. A strategy that
// compares for as long as a turn without an execution is over.
inline constexpr std::uint64_t kComparedPerEvent = 64;

// Both positions, and what their executions came to.
std::string write_turns(const Turns& turns);
// The strategies' names are those of `turns` already. False if the text is damaged.
bool read_turns(std::string_view position, Turns& turns);

}  // namespace ravel::threads
