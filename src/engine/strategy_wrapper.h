// A strategy that stands in front of another one and hands every call on: the base of those that listen or
// change a little.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/strategy.h"

namespace ravel {

class StrategyWrapper : public Strategy {
 public:
  // `wrapped` must outlive this object.
  explicit StrategyWrapper(Strategy& wrapped) : wrapped_(wrapped) {}

  std::string name() const override { return wrapped_.name(); }
  void begin_search(SearchServices& services) override { wrapped_.begin_search(services); }
  std::optional<Plan> next_execution() override { return wrapped_.next_execution(); }
  Decision choose(const Point& point) override { return wrapped_.choose(point); }
  void observe(const Event& event) override { wrapped_.observe(event); }
  Novelty end_execution(Outcome outcome) override { return wrapped_.end_execution(outcome); }
  Coverage coverage() const override { return wrapped_.coverage(); }
  std::optional<std::vector<std::size_t>> causes_of(std::size_t event) const override {
    return wrapped_.causes_of(event);
  }
  std::optional<BugBounds> bounds() const override { return wrapped_.bounds(); }
  std::string promise() const override { return wrapped_.promise(); }
  std::optional<double> executions_estimate() const override { return wrapped_.executions_estimate(); }
  void interrupt_by(Interruption interruption) override { wrapped_.interrupt_by(std::move(interruption)); }
  bool has_given_up() const override { return wrapped_.has_given_up(); }
  bool write_position(PositionWriter& writer) const override { return wrapped_.write_position(writer); }
  bool read_position(PositionReader& reader, Trials& trials) override {
    return wrapped_.read_position(reader, trials);
  }

 private:
  Strategy& wrapped_;
};

}  // namespace ravel
