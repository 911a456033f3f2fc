// Notes a search as the tree of the executions that it has run.
//
// It stands between the explorer and a strategy, hands every call on, and writes down what happens,
// executions that were given up as well.
//
// Memory and time: every event is described for people, which costs much more than executing it; so the tree
// stops growing at `nodes_max` nodes, which no tool draws anyway, and says so.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/strategy_wrapper.h"
#include "report/search_tree.h"

namespace ravel {

class NotedSearch final : public StrategyWrapper, private SearchServices {
 public:
  static constexpr std::size_t kNodesMax = 20'000;

  // `strategy` and `system` must outlive this object.
  NotedSearch(Strategy& strategy, System& system, std::size_t nodes_max = kNodesMax)
      : StrategyWrapper(strategy), system_(system), nodes_max_(nodes_max) {}

  void begin_search(SearchServices& services) override;
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  Novelty end_execution(Outcome outcome) override;

  const SearchTree& tree() const { return tree_; }

 private:
  Trials& trials() override { return services_->trials(); }
  KeptState keep_state() override;
  void forget_state(KeptState state) override;

  System& system_;
  const std::size_t nodes_max_;
  SearchTree tree_;
  std::vector<std::size_t> path_;  // the nodes of the current execution
  SearchServices* services_ = nullptr;
  std::map<KeptState, std::vector<std::size_t>> kept_paths_;
  bool is_abandoned_ = false;
};

}  // namespace ravel
