// Chooses uniformly among the enabled transitions at every point, each execution from the start.
//
// Promises nothing but that every schedule has a chance. The n-th execution depends only on the seed and on
// n.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/random.h"
#include "engine/strategy.h"

namespace ravel {

class RandomWalk final : public Strategy {
 public:
  // Without a number of executions it goes on until a budget stops it.
  RandomWalk(std::uint64_t seed, std::optional<std::uint64_t> executions);

  std::string name() const override { return "random walk, seed " + std::to_string(seed_); }
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  Coverage coverage() const override {
    return {.kind = Coverage::Kind::kSample, .bound_completed = {}, .bound_current = {}};
  }
  Novelty end_execution(Outcome) override {
    ++ended_;
    return Novelty::kNew;
  }
  std::optional<double> executions_estimate() const override {
    return executions_ ? std::optional(static_cast<double>(*executions_)) : std::nullopt;
  }
  bool write_position(PositionWriter& writer) const override {
    writer.put(ended_);
    return true;
  }
  bool read_position(PositionReader& reader) override {
    begun_ = ended_ = reader.get();
    return !reader.is_damaged();
  }

 private:
  const std::uint64_t seed_;
  const std::optional<std::uint64_t> executions_;
  std::uint64_t begun_ = 0, ended_ = 0;
  Random random_;
};

}  // namespace ravel
