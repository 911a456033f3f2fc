// An execution without an end, as far as it can be written down: a schedule, of which the last steps come
// again and again.

#pragma once

#include <cstdint>
#include <string>

namespace ravel {

struct Lasso {
  std::string formula;     // of temporal logic, which the execution violates
  std::string fairness;    // that it keeps: "none", "weak" or "strong"
  std::uint64_t loop = 0;  // how many steps come again and again; 0: nothing happens any more

  friend bool operator==(const Lasso&, const Lasso&) = default;
};

// The kind of such a bug.
inline constexpr const char kViolatedFormula[] = "temporal";

}  // namespace ravel
