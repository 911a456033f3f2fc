#include "strategy/optimal_reduction/estimate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace ravel::reduction {

namespace {

// What the leaves of branches, of which the first end at a depth, lead to, if each does what is below its
// depth.
class LeafSums {
 public:
  LeafSums(const WakeupTrees& trees, const std::vector<double>& below) : trees_(trees), below_(below) {}

  double sum(std::uint32_t first, std::uint32_t depth) {
    if (const auto known = sums_.find({first, depth}); known != sums_.end()) return known->second;
    double sum = 0;
    for (std::uint32_t at = first; at != WakeupTrees::kNone; at = trees_[at].next_sibling) {
      const std::uint32_t child = trees_[at].first_child;
      sum += child == WakeupTrees::kNone ? (depth < below_.size() ? below_[depth] : 1)
                                         : this->sum(child, depth + 1);
    }
    if (first != WakeupTrees::kNone && trees_[first].uses > 1) sums_.emplace(std::pair(first, depth), sum);
    return sum;
  }

 private:
  const WakeupTrees& trees_;
  const std::vector<double>& below_;
  // Sums of what is part of several trees, by its depth
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> sums_;
};

}  // namespace

// What was run, and what the branches that are left lead to. Of that there are two guesses: each branch leads
// to as many executions as the steps that were explored at its node do on average; or each leaf of it leads
// to as many as what is as deep in the current execution. Where trees have grown large, the first takes too
// much for what later branches lead to, which is less, as more is asleep there; where they are small, the
// second takes too little for what the trees will still grow by. So the geometric mean of both is taken.
std::optional<double> estimate_executions(const SearchState& search, std::uint32_t planned) {
  // Nodes get branches that nobody knows of yet, the more of them the less of the search is done. The
  // exponent was found by trying, on 155 searches.
  constexpr double kUnknown = 0.1;
  const std::uint32_t count = search.nodes.count();
  if (search.executions == 0 || count == 0) return std::nullopt;
  double left = 0;
  std::vector<double> below(count + 1, 1);  // by depth
  LeafSums leaves(search.trees, below);
  for (std::uint32_t number = count; number-- > 0;) {
    const Node& node = search.nodes[number];
    below[number + 1] =
        std::max(1.0, static_cast<double>(search.executions - node.executions_before_step) + left);
    if (node.pending == WakeupTrees::kNone) continue;
    double branches = 0;
    for (std::uint32_t at = node.pending; at != WakeupTrees::kNone; at = search.trees[at].next_sibling)
      ++branches;
    const double mean = (static_cast<double>(search.executions - node.executions_before) + left) /
                        static_cast<double>(node.done.size() + 1);
    left += std::sqrt(branches * std::max(1.0, mean) * leaves.sum(node.pending, number + 1));
  }
  const double known = static_cast<double>(search.executions) + left + planned;
  return known * std::pow(known / static_cast<double>(search.executions), kUnknown);
}

}  // namespace ravel::reduction
