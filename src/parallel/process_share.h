// How many processes may search together.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ravel {

struct ProcessShare {
  std::size_t most = 1;  // ever
  // By now: it grows when other searches end and leave theirs. Nothing: all of them.
  const std::atomic<std::uint32_t>* granted = nullptr;

  std::size_t now() const { return granted == nullptr ? most : std::min<std::size_t>(most, *granted); }
};

}  // namespace ravel
