// Parts of a check for several machines: --shard I/N.
//
// A suite's tests are dealt out by their place in its order. Of one test the executions of a sample are, as
// far as they are drawn from their numbers alone. Either way the shards together have everything once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace ravel {

struct Shard {
  std::uint32_t number = 1;  // from 1
  std::uint32_t count = 1;
  // How many executions all shards of a sample have together, if its search goes on; none: as the budget says
  std::optional<std::uint64_t> executions = {};

  // Of a test in the suite's order, from 0.
  bool has_test(std::size_t place) const { return place % count == number - 1; }
};

// "2/4".
Result<Shard> parse_shard(const std::string& text);

struct ExecutionRange {
  std::uint64_t first = 0;  // from 0
  std::uint64_t count = 0;
};

// The shard's part of so many executions. Sizes differ by one at most.
ExecutionRange part_of_sample(const Shard& shard, std::uint64_t executions);

}  // namespace ravel
