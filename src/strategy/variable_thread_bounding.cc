#include "strategy/variable_thread_bounding.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace ravel {

std::uint64_t VariableThreadBounding::permutations_needed(std::uint64_t threads, std::uint64_t of, double miss) {
  double orders = 1;
  for (std::uint64_t i = 2; i <= threads + 1; ++i) orders *= static_cast<double>(i);
  const double product = static_cast<double>(of) * static_cast<double>(threads);
  return static_cast<std::uint64_t>(std::ceil(orders * (std::log(product) + std::log(1 / miss))));
}

std::string VariableThreadBounding::name() const {
  return "variable and thread bounding with " + std::to_string(options_.variables) + " variables, " +
         std::to_string(options_.threads) + " threads, " + std::to_string(options_.preemptions) + " preemptions, seed " +
         std::to_string(options_.seed);
}

std::string VariableThreadBounding::promise() const {
  char text[240];
  std::snprintf(text, sizeof text,
                "a complete search finds each bug with at most %u preemptions at accesses to at most %u of %zu variables that needs "
                "an order of at most %u of %llu threads with a probability of %g",
                options_.preemptions, options_.variables, known_.size(), options_.threads,
                static_cast<unsigned long long>(actors_max_), 1 - options_.miss);
  return text;
}

std::optional<BugBounds> VariableThreadBounding::bounds() const {
  std::vector<std::uint64_t> preempted;
  for (const Choice& choice : choices_)
    if (choice.preempts && std::ranges::find(preempted, choice.variable) == preempted.end()) preempted.push_back(choice.variable);
  return BugBounds{.variables = static_cast<std::uint32_t>(preempted.size()), .threads = options_.threads};
}

// ---- The order of executions -----------------------------------------------------------------------------

std::optional<Plan> VariableThreadBounding::next_execution() {
  if (!std::exchange(has_begun_, true)) {
    draw_permutation();
  } else if (!next_placement() && !next_permutation()) {
    // One more preemption with the same variables; without any there is nothing to preempt at.
    choices_.clear();
    permutation_ = 0;
    if (!objects_.empty() && bound_ < options_.preemptions) {
      ++bound_;
    } else if (next_set()) {
      bound_ = std::min<std::uint32_t>(1, options_.preemptions);  // none at all was the set without variables
    } else {
      return std::nullopt;
    }
    draw_permutation();
  }
  choice_ = 0;
  actors_ = 0;
  preempted_ = 0;
  fragment_of_.clear();
  cache_.rewind(0);
  return Plan{.keep = 0};
}

// The next way to place at most bound_ preemptions, with the same permutation.
bool VariableThreadBounding::next_placement() {
  while (!choices_.empty() && choices_.back().preempts) choices_.pop_back();
  if (bound_ == 0) return false;
  while (!choices_.empty()) {
    const auto before = static_cast<std::uint32_t>(std::ranges::count(choices_, true, &Choice::preempts));
    if (!choices_.back().preempts && before < bound_) {
      choices_.back().preempts = true;
      return true;
    }
    choices_.pop_back();
  }
  return false;
}

bool VariableThreadBounding::next_permutation() {
  if (++permutation_ >= permutations_needed(options_.threads + bound_, actors_seen_ + bound_, options_.miss)) return false;
  choices_.clear();
  draw_permutation();
  return true;
}

// The next set of the same size, or the first one of the next size.
bool VariableThreadBounding::next_set() {
  std::size_t size = set_.size(), grown = size;
  while (grown > 0 && set_[grown - 1] + (size - grown) + 1 >= order_of_sets_.size()) --grown;
  if (size > 0 && grown > 0) {
    ++set_[grown - 1];
    for (std::size_t i = grown; i < size; ++i) set_[i] = set_[i - 1] + 1;
  } else {
    ++size;
    if (size > options_.variables) return false;
    order_of_sets_.clear();
    for (const bool wanted : {true, false})
      for (const Variable& variable : known_)
        if (variable.is_shared == wanted) order_of_sets_.push_back(variable.object);
    if (size > order_of_sets_.size()) return false;
    set_.resize(size);
    std::iota(set_.begin(), set_.end(), std::size_t{0});
  }
  objects_.clear();
  for (const std::size_t place : set_) objects_.push_back(order_of_sets_[place]);
  return true;
}

void VariableThreadBounding::draw_permutation() {
  actors_max_ = actors_seen_;
  priorities_.resize(actors_max_ + options_.preemptions);
  std::iota(priorities_.begin(), priorities_.end(), std::uint64_t{1});
  for (std::size_t i = priorities_.size(); i > 1; --i) std::swap(priorities_[i - 1], priorities_[random_.below(i)]);
}

// ---- One execution ---------------------------------------------------------------------------------------

std::uint64_t VariableThreadBounding::priority_of(ActorId actor) {
  const auto index = static_cast<std::size_t>(actor);
  if (index >= fragment_of_.size()) fragment_of_.resize(index + 1, 0);
  if (fragment_of_[index] == 0) fragment_of_[index] = ++actors_;
  const std::uint64_t fragment = fragment_of_[index];
  // More actors than any execution had before come last, and have places of their own from the next permutation on.
  return fragment <= priorities_.size() ? priorities_[fragment - 1] : 0;
}

Decision VariableThreadBounding::choose(const Point& point) {
  cache_.see(point);
  for (const Transition& transition : point.enabled) static_cast<void>(priority_of(transition.actor));
  const auto highest = [&] {
    std::size_t best = 0;
    for (std::size_t i = 1; i < point.enabled.size(); ++i)
      if (priority_of(point.enabled[i].actor) > priority_of(point.enabled[best].actor)) best = i;
    return best;
  };
  std::size_t best = highest();
  const ActorId running = point.enabled[best].actor;
  if (point.previous == running && !objects_.empty()) {
    const std::optional<Touch> touch = point.system->pending(point.enabled[best]);
    if (touch && std::ranges::find(objects_, touch->object) != objects_.end()) {
      if (choice_ == choices_.size()) choices_.push_back({.variable = touch->object, .preempts = false});
      CHECK(choices_[choice_].variable == touch->object);
      if (choices_[choice_++].preempts) {
        fragment_of_[static_cast<std::size_t>(running)] = actors_max_ + ++preempted_;
        best = highest();
      }
    }
  }
  return Decision::take(best, Return::kNever);
}

void VariableThreadBounding::observe(const Event& event) {
  cache_.observe(event);
  for (const Touch& touch : event.footprint) {
    const auto [place, is_new] = place_of_.try_emplace(touch.object, known_.size());
    if (is_new) {
      known_.push_back({.object = touch.object, .first_actor = event.actor, .is_shared = false});
    } else if (known_[place->second].first_actor != event.actor) {
      known_[place->second].is_shared = true;
    }
  }
}

Novelty VariableThreadBounding::end_execution(Outcome outcome) {
  // The permutation stays as it was drawn while placements are tried.
  actors_seen_ = std::max(actors_seen_, actors_);
  if (outcome != Outcome::kRunning && cache_.was_at_end()) return Novelty::kRepeated;
  return Novelty::kNew;
}

}  // namespace ravel
