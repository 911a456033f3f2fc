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
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/divisible.h"
#include "engine/strategy.h"
#include "strategy/path_progress.h"

namespace ravel {

class DelayBounding final : public Strategy, public Divisible {
 public:
  // Without a largest bound it goes on until every schedule has been run.
  explicit DelayBounding(std::optional<std::uint32_t> bound_max) : bound_max_(bound_max) {}

  std::string name() const override;
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override;
  bool write_position(PositionWriter& writer) const override;
  bool read_position(PositionReader& reader, Trials&) override { return read(reader); }

  void become_part(std::uint32_t from_level) override {
    is_part_ = true;
    own_from_ = from_level;
  }
  // Whether the bound has cut some way.
  std::string take_notes() override { return is_cut_ ? "cut" : ""; }
  std::unique_ptr<PartSource> make_source(System& system, std::string position) const override;
  bool is_of_source(std::string_view position) const override;

 private:
  class Rules;
  struct Level {
    std::uint32_t position;  // 0 is what the scheduler does by itself
    std::uint32_t end;       // of the positions that the bound allows
    std::uint32_t delays;    // before this level
    std::uint32_t cost;      // of the position
  };
  std::optional<Plan> next_in_order();
  bool read(PositionReader& reader);
  std::string planned();

  const std::optional<std::uint32_t> bound_max_;
  PathProgress progress_;
  bool is_cut_ = false;  // the bound has cut some way of this stage
  bool everything_done_ = false;
  std::uint32_t bound_ = 0;
  std::optional<std::uint32_t> bound_completed_;
  std::vector<Level> levels_;   // by depth
  bool is_part_ = false;        // of a stage
  std::uint32_t own_from_ = 0;  // then: the first level whose ways are its own
};

}  // namespace ravel
