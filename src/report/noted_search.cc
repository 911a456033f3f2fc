#include "report/noted_search.h"

#include <utility>

namespace ravel {

void NotedSearch::begin_search(SearchServices& services) {
  services_ = &services;
  StrategyWrapper::begin_search(*this);
}

KeptState NotedSearch::keep_state() {
  const KeptState state = services_->keep_state();
  kept_paths_.insert_or_assign(state, path_);
  return state;
}

void NotedSearch::forget_state(KeptState state) {
  kept_paths_.erase(state);
  services_->forget_state(state);
}

std::optional<Plan> NotedSearch::next_execution() {
  const std::optional<Plan> plan = StrategyWrapper::next_execution();
  is_abandoned_ = false;
  if (!plan) return plan;
  if (plan->from) {
    path_ = kept_paths_.at(*plan->from);
  } else if (plan->keep < path_.size()) {
    // What is kept may not have been noted, if the tree is full or the search was resumed.
    path_.resize(plan->keep);
  }
  // Other users of the System may have had no use for descriptions since.
  if (!tree_.is_full) system_.set_descriptions(Descriptions::kOfSearch);
  return plan;
}

Decision NotedSearch::choose(const Point& point) {
  const Decision decision = StrategyWrapper::choose(point);
  is_abandoned_ = decision.abandons();
  return decision;
}

void NotedSearch::observe(const Event& event) {
  StrategyWrapper::observe(event);
  if (tree_.is_full) return;
  if (tree_.nodes.size() == nodes_max_) {
    tree_.is_full = true;
    system_.set_descriptions(Descriptions::kOff);
    return;
  }
  const EventDescription description = system_.describe_last();
  tree_.nodes.push_back({.parent = path_.empty() ? SearchTree::kRoot : path_.back(),
                         .actor = description.actor,
                         .text = description.text});
  path_.push_back(tree_.nodes.size() - 1);
}

Novelty NotedSearch::end_execution(Outcome outcome) {
  const Novelty novelty = StrategyWrapper::end_execution(outcome);
  if (tree_.is_full || path_.empty()) return novelty;
  using Ending = SearchTree::Ending;
  SearchTree::Leaf leaf = {.node = path_.back(), .ending = Ending::kWell, .text = "ends well"};
  if (is_abandoned_ || novelty == Novelty::kDiscarded) {
    leaf = {.node = path_.back(), .ending = Ending::kGivenUp, .text = "given up"};
  } else if (novelty == Novelty::kRepeated || novelty == Novelty::kKnown) {
    leaf = {.node = path_.back(), .ending = Ending::kRepeated, .text = "repeated"};
  } else if (outcome == Outcome::kBug) {
    const bool is_cut_off = system_.outcome() != Outcome::kBug;
    leaf = {.node = path_.back(),
            .ending = Ending::kBug,
            .text = is_cut_off ? "too many events" : system_.bug().message};
  } else if (outcome == Outcome::kUnsupported) {
    leaf = {.node = path_.back(), .ending = Ending::kRefused, .text = system_.refusal().message};
  }
  tree_.leaves.push_back(std::move(leaf));
  return novelty;
}

}  // namespace ravel
