// Samples of the executions with 0, 1, 2, ... delays of a delaying explorer: stratified sampling (A. Desai,
// S. Qadeer, S. A. Seshia, "Systematic testing of asynchronous reactive programs", FSE 2015, figure 7).
//
// The idea: a sample with d delays is drawn in d steps. An execution with the delays so far is run to its
// end; the next delay comes at one of its places from the last delay on, each as likely as the others. So an
// execution is as likely as its delays make it, however long it is: each one with d delays is drawn with a
// probability of at least L^-d, where L is the most places of an execution (theorem 3 there).
//
// Different from the paper: a place is a point at which something is left to be delayed, not each step, so
// that no delay is wasted, and L is less. The execution without a delay, with which every sample begins, is
// run once.
//
// With d delays 100 * 3^d samples are drawn, but one without delays, as all would be the same. A sample is
// less delays if none has a place any more.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explorers/explorer_driver.h"
#include "strategy/sampling.h"

namespace ravel {

class StratifiedSampling final : public Sampling {
 public:
  // Without a largest number of delays it goes on until it has run as many executions as it was asked for.
  StratifiedSampling(std::unique_ptr<const DelayingExplorer> explorer,
                     std::optional<std::uint32_t> delays_max, std::uint64_t seed,
                     std::optional<std::uint64_t> executions, const ExplorerNeeds& needs = {})
      : Sampling(seed, executions), driver_(std::move(explorer), needs), delays_max_(delays_max) {}

  std::string name() const override;
  std::string promise() const override;
  std::string why_whole() const override { return "each of its executions depends on the one before"; }

 private:
  void begin() override;
  bool has_all() const override { return delays_max_ && delays_ > *delays_max_; }
  Decision draw(const Point& point) override;
  void end(Outcome) override;
  void write_learned(PositionWriter& writer) const override;
  bool read_learned(PositionReader& reader) override;
  void begin_sample();
  void draw_delay(std::uint64_t places);

  ExplorerDriver driver_;
  const std::optional<std::uint32_t> delays_max_;

  std::uint32_t delays_ = 0;      // of the present sample, in the end
  std::uint64_t sample_ = 0;      // its number among all
  std::uint64_t of_stratum_ = 0;  // and among those with as many delays
  // Of the present execution: how many places it passes before each delay, from the one before on
  std::vector<std::uint64_t> path_;
  std::uint64_t places_without_delay_ = 0;  // of the execution without one
  std::uint64_t places_max_ = 0;            // from a delay on, or from the beginning: the most
  std::vector<std::uint64_t> samples_;      // by delays: how many had as many or more

  ExplorerState state_;
  std::size_t delayed_ = 0;   // how many delays the present execution had so far
  std::uint64_t passed_ = 0;  // places since
};

}  // namespace ravel
