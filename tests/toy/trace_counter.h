// Hands every call on to a strategy and notes the trace of each execution that it completes as new.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/strategy.h"
#include "tests/toy/message_system.h"

namespace ravel::toy {

class TraceCounter final : public Strategy {
 public:
  TraceCounter(Strategy& strategy, MessageSystem& system) : strategy_(strategy), system_(system) {}

  std::string name() const override { return strategy_.name(); }
  std::optional<Plan> next_execution() override { return strategy_.next_execution(); }
  Decision choose(const Point& point) override { return strategy_.choose(point); }
  void observe(const Event& event) override { strategy_.observe(event); }
  Novelty end_execution(Outcome outcome) override {
    const Novelty novelty = strategy_.end_execution(outcome);
    if (outcome != Outcome::kRunning && novelty == Novelty::kNew) ++traces[system_.trace()];
    return novelty;
  }
  Coverage coverage() const override { return strategy_.coverage(); }
  std::optional<std::vector<std::size_t>> causes_of(std::size_t event) const override { return strategy_.causes_of(event); }
  std::optional<BugBounds> bounds() const override { return strategy_.bounds(); }
  std::string promise() const override { return strategy_.promise(); }
  std::optional<double> executions_estimate() const override { return strategy_.executions_estimate(); }
  bool write_position(PositionWriter& writer) const override { return strategy_.write_position(writer); }
  bool read_position(PositionReader& reader) override { return strategy_.read_position(reader); }

  std::map<std::string, std::uint64_t> traces;

 private:
  Strategy& strategy_;
  MessageSystem& system_;
};

}  // namespace ravel::toy
