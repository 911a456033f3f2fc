// Where a receive stands in its source.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel::erlang {

struct ReceivePlace {
  std::uint32_t line = 0;
  std::size_t before_on_line = 0;  // how many others begin on the same line before it

  friend bool operator==(const ReceivePlace&, const ReceivePlace&) = default;
};

}  // namespace ravel::erlang
