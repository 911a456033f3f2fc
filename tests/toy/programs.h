// All small toy programs, and seeded larger ones.

#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "tests/toy/toy_system.h"

namespace ravel::toy {

// Every way to put up to `operations_max` of these operations one after the other.
std::vector<std::vector<Operation>> all_sequences(const std::vector<Operation>& alphabet,
                                                  std::size_t operations_max);

// Every program of exactly `actors` actors, up to their order, whose actors execute one of `sequences`.
std::vector<Program> all_programs(const std::vector<std::vector<Operation>>& sequences, std::size_t actors);

// A program with exactly these numbers of actors and of operations of each.
Program random_program(Random& random, const std::vector<Operation>& alphabet, std::size_t actors,
                       std::size_t operations);

}  // namespace ravel::toy
