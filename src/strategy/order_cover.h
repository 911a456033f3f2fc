// Permutations of n numbers in which every t of them occur in every order.
//
// The idea: the identity and its reverse show all orders of two. For more, one permutation after the other is
// chosen, out of a few random ones that have an order which is still missing, as the one with the most such
// orders (D. R. Kuhn, J. M. Higdon, J. F. Lawrence, R. N. Kacker, Y. Lei, "Combinatorial methods for event
// sequence testing", 2012). So they are some times fewer than random ones would have to be, and miss nothing.
// Where there are too many orders to be noted, permutations are random, and so many that none is missing
// except with a probability: lemma 4.1 of S. Bindal, S. Bansal, A. Lal, "Variable and thread bounding for
// systematic testing of multithreaded programs" (ISSTA 2013).
//
// Memory: a byte for each order of t of the n numbers, while they are made.

#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace ravel {

using Permutation = std::vector<std::uint32_t>;

struct OrderCover {
  std::vector<Permutation> permutations;
  bool is_exact = true;  // nothing is missing
};

// The permutations of `before`, which are for a smaller t, and what has to be added. REQUIRES: numbers > 0,
// orders_of > 0.
OrderCover cover_orders(std::uint32_t numbers, std::uint32_t orders_of, double miss,
                        const std::vector<Permutation>& before, Random& random);

// How many random permutations of `numbers` show all orders of all `orders_of` of them, except with a
// probability `miss`.
std::uint64_t permutations_needed(std::uint64_t orders_of, std::uint64_t numbers, double miss);

}  // namespace ravel
