// At most n steps of one kind in an execution, for n = 0, 1, 2, ...: the first bug found needs the fewest.
//
// The idea: a System that lists what could happen, but seldom does (a timeout before it is due, or a fault),
// is searched by another strategy, once for each n, from which those are kept that would be one too many.
// Stage 0 is the search without any. Each stage runs the executions of the ones before it again, which are
// far fewer than its own, and tells them as repeated. A strategy that samples has one stage only.
//
// The search has parts if those of all stages have some: a stage begins when all parts of the one before have
// ended. So the first bug found needs the fewest, by however many processes.
//
// How many there were is the same in all executions of a trace: each is an event. But that one of them is
// kept back depends on all the others. So a strategy that goes from trace to trace by footprints alone is not
// for stages from 1 on (catalogue.cc; for faults there is fault_plans.h).

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/divisible.h"
#include "engine/strategy.h"

namespace ravel {

class CountedStages final : public Strategy, public Divisible {
 public:
  struct Options {
    TransitionKind counted = TransitionKind::kEarly;
    BoundOn bound = BoundOn::kEarlyTimeouts;
    std::uint32_t first = 0, last = 0;  // stages
    std::size_t prefix = 0;             // how many first events of each execution are not counted
    std::function<std::unique_ptr<Strategy>(std::uint32_t stage)> make;
  };
  explicit CountedStages(Options options);

  std::string name() const override;
  void begin_search(SearchServices& services) override {
    services_ = &services;
    inner_->begin_search(services);
  }
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override { inner_->observe(event); }
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override;
  std::optional<std::vector<std::size_t>> causes_of(std::size_t event) const override {
    return inner_->causes_of(event);
  }
  std::optional<BugBounds> bounds() const override { return inner_->bounds(); }
  std::string promise() const override { return inner_->promise(); }
  std::optional<double> executions_estimate() const override {
    return stage_ == options_.last ? inner_->executions_estimate() : std::nullopt;
  }
  bool write_position(PositionWriter& writer) const override;
  bool read_position(PositionReader& reader, Trials& trials) override;

  std::string why_whole() const override;
  std::shared_ptr<const CommonGround> common_ground() const override { return parts()->common_ground(); }
  void stand_on(std::shared_ptr<const CommonGround> ground) override { parts()->stand_on(std::move(ground)); }
  void become_part(std::uint32_t from_level) override {
    is_part_ = true;
    parts()->become_part(from_level);
  }
  bool pays_off() const override { return parts()->pays_off(); }
  std::string take_notes() override { return parts()->take_notes(); }
  std::unique_ptr<PartSource> make_source(System& system, std::string position) const override;
  bool is_of_source(std::string_view position) const override;

 private:
  class Source;

  bool has_one_stage() const { return options_.first == options_.last; }
  Divisible* parts() const { return dynamic_cast<Divisible*>(inner_.get()); }
  void begin_stage(std::uint32_t stage);
  // With what the stages before have covered. `is_complete`: the last one has ended.
  Coverage with_stages(const Coverage& of_stage, bool is_complete) const;
  // What comes before the position of the stage's strategy; empty if there is one stage.
  void write_head(PositionWriter& writer) const;
  std::string head() const;
  bool read_head(PositionReader& reader);
  bool is_counted(const Transition& transition, std::size_t depth) const {
    return transition.kind == options_.counted && depth >= options_.prefix;
  }

  const Options options_;
  std::uint32_t stage_;
  bool is_complete_ = false;
  bool is_part_ = false;              // of its stage
  std::string why_later_whole_ = {};  // why_whole() of later stages
  std::unique_ptr<Strategy> inner_;
  SearchServices* services_ = nullptr;
  std::optional<Coverage> completed_;  // by the stage before
  std::vector<std::uint32_t> taken_;   // by depth: how many were taken before that point
  std::vector<Transition> allowed_;    // of a point
  std::vector<std::size_t> index_of_;  // of the allowed ones in the point
};

}  // namespace ravel
