// All schedules with at most d delays of a round-robin scheduler, for d = 0, 1, 2, ...
//
// The scheduler lets an actor go on until it can't, then the next one in logical order that can, around. A
// delay makes it pass over whom it would have let go on, which costs 1 whoever that is; so the number of
// schedules with d delays grows with the length of executions only, not with the number of actors, as that
// with d preemptions does (M. Emmi, S. Qadeer, Z. Rakamaric, "Delay-bounded scheduling", POPL 2011). The
// alternatives of a data choice cost nothing.
//
// Stage d is a depth-first search of the schedules with at most d delays; those with fewer were run in an
// earlier stage, and are counted as repeated.
//
// Cost: memory proportional to the longest execution.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/strategy.h"
#include "strategy/path_progress.h"

namespace ravel {

class DelayBounding final : public Strategy {
 public:
  // Without a largest bound it goes on until every schedule has been run.
  explicit DelayBounding(std::optional<std::uint32_t> bound_max) : bound_max_(bound_max) {}

  std::string name() const override;
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override;
  bool write_position(PositionWriter& writer) const override;
  bool read_position(PositionReader& reader, Trials&) override;

 private:
  struct Level {
    std::uint32_t position;  // 0 is what the scheduler does by itself
    std::uint32_t end;       // of the positions that the bound allows
    std::uint32_t delays;    // before this level
    std::uint32_t cost;      // of the position
  };
  std::optional<Plan> next_in_order();

  const std::optional<std::uint32_t> bound_max_;
  PathProgress progress_;
  bool is_cut_ = false;  // the bound has cut some way of this stage
  bool everything_done_ = false;
  std::uint32_t bound_ = 0;
  std::optional<std::uint32_t> bound_completed_;
  std::vector<Level> levels_;  // by depth
};

}  // namespace ravel
