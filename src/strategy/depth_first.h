// Runs every schedule once: an execution is a numeral whose digits are its choices.
//
// With a System that lists no kBlocks transitions this is the depth-first search with blocking avoidance of
// "Systematic testing for detecting concurrency errors in Erlang programs" (Christakis, Gotovos, Sagonas,
// 2013): where an actor would only find that it has to wait there is no transition to choose, so that no two
// schedules differ by a blocked step, and nothing has to be aborted.
//
// How many executions there will be is estimated by the part of the tree that is done, if each subtree of a
// point were as large as the others (the weighted backtrack estimator of P. Kilby, J. Slaney, S. Thiebaux, T.
// Walsh, "Estimating search tree size", AAAI 2006).
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

class DepthFirst final : public Strategy, public Divisible {
 public:
  std::string name() const override { return "depth-first"; }
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  Coverage coverage() const override { return all_of(CoverageUnit::kSchedules); }
  Novelty end_execution(Outcome) override {
    progress_.end_execution();
    ++ended_;
    return Novelty::kNew;
  }
  std::optional<double> executions_estimate() const override;
  bool write_position(PositionWriter& writer) const override;
  bool read_position(PositionReader& reader, Trials&) override;

  void become_part(std::uint32_t from_level) override { own_from_ = from_level; }
  std::string take_notes() override { return {}; }
  std::unique_ptr<PartSource> make_source(System& system, std::string position) const override;
  bool is_of_source(std::string_view position) const override;

 private:
  class Rules;
  std::optional<Plan> increment();
  bool read(PositionReader& reader);
  struct Digit {
    std::uint32_t position;
    std::uint32_t alternatives;
  };
  std::vector<Digit> path_;  // by depth
  PathProgress progress_;
  std::uint64_t ended_ = 0;     // executions
  std::uint32_t own_from_ = 0;  // the first level whose ways are this part's
};

}  // namespace ravel
