// Runs every schedule once: an execution is a numeral whose digits are its choices.
//
// With a System that lists no kBlocks transitions this is the depth-first search with blocking avoidance of
// "Systematic testing for detecting concurrency errors in Erlang programs" (Christakis, Gotovos, Sagonas,
// 2013): where an actor would only find that it has to wait there is no transition to choose, so that no two
// schedules differ by a blocked step, and nothing has to be aborted.
//
// Cost: memory proportional to the longest execution.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/strategy.h"

namespace ravel {

class DepthFirst final : public Strategy {
 public:
  std::string name() const override { return "depth-first"; }
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  Coverage coverage() const override {
    return {.kind = Coverage::Kind::kAllSchedules, .bound_completed = {}, .bound_current = {}};
  }

 private:
  struct Digit {
    std::uint32_t position;
    std::uint32_t alternatives;
  };
  std::vector<Digit> path_;  // by depth
  bool started_ = false;
};

}  // namespace ravel
