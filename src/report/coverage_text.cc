#include "report/coverage_text.h"

#include <array>
#include <cstddef>

namespace ravel {

std::string_view noun_of(CoverageUnit unit) {
  static constexpr std::array<std::string_view, 4> kNouns = {"schedule", "trace", "state", "execution"};
  return kNouns[static_cast<std::size_t>(unit)];
}

std::string_view noun_of(BoundOn on) {
  static constexpr std::array<std::string_view, 11> kNouns = {
      "preemption", "delay",      "early timeout", "variable", "priority change", "thread",
      "iteration",  "other race", "event",         "fault",    "stratum",
  };
  return kNouns[static_cast<std::size_t>(on)];
}

}  // namespace ravel
