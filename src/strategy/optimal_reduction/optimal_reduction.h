// Runs every trace, each once: optimal dynamic partial-order reduction. optimal_reduction.cc tells how, and
// README.md in which file which part of it is.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/divisible.h"
#include "engine/strategy.h"
#include "engine/transition.h"

namespace ravel {

// Which races are decided otherwise.
enum class Reversals : std::uint8_t {
  kAll,
  kReceives,  // only what receives choose: which message they take, or that they go on without one
};

// Numbers of branches above which wakeup trees become something else.
struct TreeLimits {
  // Equal parts of trees become one. Of fewer branches, that is not worth its time.
  std::size_t share_above = std::size_t{1} << 14;
  // Only the first step of what comes in is kept. A branch is 20 bytes, and those of its step.
  std::size_t cut_above = std::size_t{1} << 24;
};

struct ReductionOptions {
  // Every execution contains the events of these steps, which are not decided anew: the search explores the
  // traces that extend the partial one that these make. REQUIRES: they can be taken.
  std::vector<Transition> prefix = {};
  Reversals reversals = Reversals::kAll;
  TreeLimits limits = {};
};

class OptimalReduction : public Strategy, public Divisible {
 public:
  // How many branches of wakeup trees it holds.
  virtual std::size_t branches() const = 0;
};

std::unique_ptr<OptimalReduction> make_optimal_reduction(ReductionOptions options = {});

}  // namespace ravel
