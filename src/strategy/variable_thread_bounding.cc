#include "strategy/variable_thread_bounding.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "base/random.h"

namespace ravel {

std::string VariableThreadBounding::name() const {
  const std::string iterations =
      options_.iterations ? " of iterations up to " + std::to_string(*options_.iterations) : "";
  return "variable and thread bounding with " + std::to_string(options_.variables) + " variables" +
         iterations + ", " + std::to_string(options_.threads) + " threads, " +
         std::to_string(options_.preemptions) + " preemptions, seed " + std::to_string(options_.seed);
}

std::string VariableThreadBounding::promise() const {
  char text[320];
  const std::string iterations =
      options_.iterations ? " of iterations up to " + std::to_string(*options_.iterations) : "";
  std::snprintf(text, sizeof text,
                "a complete search finds each bug with at most %u preemptions at accesses to at most %u of "
                "%zu variables%s that needs "
                "an order of at most %u of %u threads",
                options_.preemptions, options_.variables, known_.size(), iterations.c_str(), options_.threads,
                actors_max_);
  std::string promise = text;
  if (!is_exact_) {
    std::snprintf(text, sizeof text, " with a probability of %g", 1 - options_.miss);
    promise += text;
  }
  if (has_drawn_) promise += ", but for what the ways of choices lead to, of which it has drawn some";
  return promise;
}

std::optional<BugBounds> VariableThreadBounding::bounds() const {
  BugBounds bounds{.changes = preempted_, .threads = threads_};
  std::vector<std::uint64_t> preempted;
  for (const Choice& choice : choices_) {
    if (!choice.preempts || std::ranges::find(preempted, choice.variable) != preempted.end()) continue;
    preempted.push_back(choice.variable);
    bounds.objects.push_back(choice.object);
    bounds.iterations = std::max(bounds.iterations, known_[place_of_.at(choice.variable)].variable.iteration);
  }
  bounds.variables = static_cast<std::uint32_t>(preempted.size());
  return bounds;
}

// ---- The order of executions -----------------------------------------------------------------------------

std::optional<Plan> VariableThreadBounding::next_execution() {
  if (!advance()) return std::nullopt;
  has_ended_ = false;
  choice_ = 0;
  actors_ = 0;
  preempted_ = 0;
  drawn_ = 0;
  fragment_of_.clear();
  cache_.rewind(0);
  return Plan{.keep = 0};
}

bool VariableThreadBounding::advance() {
  if (!std::exchange(has_begun_, true)) {
    take_permutation();
    return true;
  }
  const auto later_set = [this] { return next_set() || (!is_part_ && next_stage()); };
  if (std::exchange(enters_set_, false)) return enter_set() || later_set();
  return !has_ended_ || next_placement() || next_permutation() || later_set();
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
  choices_.clear();
  // Of more actors than were known when this set began all permutations are others.
  permutation_ = actors_max_ == actors_seen_ ? permutation_ + 1 : 0;
  if (permutation_ >= cover().permutations.size()) return false;
  take_permutation();
  return true;
}

// The next set of the same size.
bool VariableThreadBounding::next_set() {
  while (set_number_ + 1 < sets_end_ && grow_set())
    if (enter_set()) return true;
  return false;
}

bool VariableThreadBounding::grow_set() {
  std::size_t grown = set_.size();
  while (grown > 0 && set_[grown - 1] + (set_.size() - grown) + 1 >= order_of_sets_.size()) --grown;
  if (grown == 0) return false;
  ++set_number_;
  ++set_[grown - 1];
  for (std::size_t i = grown; i < set_.size(); ++i) set_[i] = set_[i - 1] + 1;
  return true;
}

// Whether it belongs to this stage: otherwise it has only variables of lower iteration numbers.
bool VariableThreadBounding::has_iteration() const {
  return set_.empty() || std::ranges::any_of(set_, [&](std::size_t place) {
           return known_[order_of_sets_[place]].variable.iteration == iteration_;
         });
}

// The first set of this stage, of the variables that are known now.
bool VariableThreadBounding::begin_stage() {
  actors_of_stage_ = actors_seen_;
  known_of_stage_ = known_.size();
  order_of_sets_.clear();
  for (const bool wanted : {true, false})
    for (std::size_t place = 0; place < known_.size(); ++place)
      if (known_[place].is_shared == wanted && known_[place].variable.iteration <= iteration_)
        order_of_sets_.push_back(place);
  if (size_ > order_of_sets_.size()) return false;
  set_.resize(size_);
  std::iota(set_.begin(), set_.end(), std::size_t{0});
  set_number_ = 0;
  return enter_set() || next_set();
}

// The smallest iteration number of the variables that this stage has shown, if it would have had sets with
// them.
std::optional<std::uint32_t> VariableThreadBounding::iteration_of_new() const {
  std::optional<std::uint32_t> least;
  for (std::size_t place = known_of_stage_; place < known_.size() && size_ > 0; ++place)
    if (const std::uint32_t iteration = known_[place].variable.iteration; iteration <= iteration_)
      least = std::min(least.value_or(iteration), iteration);
  return least;
}

std::optional<std::uint32_t> VariableThreadBounding::next_iteration() const {
  std::optional<std::uint32_t> least;
  for (const Known& known : known_)
    if (const std::uint32_t iteration = known.variable.iteration; size_ > 0 && iteration > iteration_)
      least = std::min(least.value_or(iteration), iteration);
  return least;
}

// Later iterations, more threads, more variables, or more preemptions. The stage is run again if it has shown
// variables or actors that it did not know.
bool VariableThreadBounding::next_stage() {
  while (true) {
    if (actors_of_stage_ < actors_seen_) {
      iteration_ = 0;
    } else if (const auto iteration = iteration_of_new()) {
      iteration_ = *iteration;
    } else if (note_completed(); const auto later = next_iteration()) {
      iteration_ = *later;
    } else if (iteration_ = 0; threads_ < options_.threads && threads_ < actors_seen_) {
      ++threads_;
      known_with_fewer_ = known_.size();
      actors_with_fewer_ = actors_seen_;
    } else if (size_ < std::min(options_.variables, bound_)) {
      ++size_;
      threads_ = kThreadsMin;
    } else if (bound_ < options_.preemptions && options_.variables > 0) {
      ++bound_;
      size_ = 1;
      threads_ = kThreadsMin;
    } else {
      return false;
    }
    if (begin_stage()) return true;
  }
}

void VariableThreadBounding::note_completed() {
  completed_ =
      BugBounds{.changes = bound_, .variables = size_, .threads = threads_, .iterations = iteration_};
}

Coverage VariableThreadBounding::coverage() const {
  const auto bound = [&](BoundOn on, std::uint32_t BugBounds::*number) {
    return Bound{.on = on, .completed = completed_ ? std::optional((*completed_).*number) : std::nullopt};
  };
  Bound changes = bound(BoundOn::kPriorityChanges, &BugBounds::changes);
  changes.current = bound_;
  return {.bounds = {changes, bound(BoundOn::kVariables, &BugBounds::variables),
                     bound(BoundOn::kThreads, &BugBounds::threads),
                     bound(BoundOn::kIterations, &BugBounds::iterations)}};
}

// False if there is nothing to run: with these numbers all permutations were run for fewer threads.
bool VariableThreadBounding::begin_set() {
  names_.clear();
  bool was_known = actors_with_fewer_ == actors_seen_;
  for (const std::size_t place : set_) {
    names_.push_back(known_[order_of_sets_[place]].variable.name);
    was_known = was_known && order_of_sets_[place] < known_with_fewer_;
  }
  cache_.forget();
  choices_.clear();
  permutation_ = 0;
  if (threads_ > kThreadsMin && was_known) {
    --threads_;
    permutation_ = cover().permutations.size();
    ++threads_;
  }
  if (permutation_ >= cover().permutations.size()) return false;
  take_permutation();
  return true;
}

// Permutations for the actors that were seen. Permutations for one thread less come first. The random numbers
// depend on nothing else, so that a search that was interrupted goes on with the same permutations.
const OrderCover& VariableThreadBounding::cover() {
  const OrderCover* before = nullptr;
  for (std::uint32_t threads = kThreadsMin; threads <= threads_; ++threads) {
    const auto [place, is_new] = covers_.try_emplace({actors_seen_, bound_, threads});
    if (is_new) {
      OrderCover& cover = place->second;
      Random random(combine(combine(options_.seed, actors_seen_), combine(bound_, threads)));
      cover = cover_orders(actors_seen_ + bound_, threads + bound_, options_.miss,
                           before == nullptr ? std::vector<Permutation>() : before->permutations, random);
      // Each permutation once more with the first actor first, which mostly makes the others.
      const std::size_t count = cover.permutations.size();
      std::set<Permutation> known(cover.permutations.begin(), cover.permutations.end());
      for (std::size_t i = before == nullptr ? 0 : before->permutations.size(); i < count; ++i) {
        Permutation other = cover.permutations[i];
        std::rotate(other.begin(), std::ranges::find(other, 0u), std::ranges::find(other, 0u) + 1);
        if (known.insert(other).second) cover.permutations.push_back(std::move(other));
      }
    }
    before = &place->second;
  }
  return *before;
}

void VariableThreadBounding::take_permutation() {
  actors_max_ = actors_seen_;
  const OrderCover& orders = cover();
  is_exact_ = is_exact_ && orders.is_exact;
  const Permutation& permutation = orders.permutations[permutation_];
  priorities_.assign(permutation.size(), 0);
  for (std::size_t i = 0; i < permutation.size(); ++i) priorities_[permutation[i]] = permutation.size() - i;
}

// ---- One execution ---------------------------------------------------------------------------------------

std::uint64_t VariableThreadBounding::priority_of(ActorId actor) {
  const auto index = static_cast<std::size_t>(actor);
  if (index >= fragment_of_.size()) fragment_of_.resize(index + 1, 0);
  // The numbers after those of the actors that were known are for what is left of preempted ones.
  if (fragment_of_[index] == 0)
    fragment_of_[index] = ++actors_ <= actors_max_ ? actors_ : actors_ + options_.preemptions;
  const std::uint64_t fragment = fragment_of_[index];
  // More actors than any execution had before come last, and have places of their own from the next
  // permutation on.
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
  if (point.previous == running && point.enabled.back().actor != point.enabled.front().actor)
    note_variable(*point.system, point.enabled[best]);
  if (point.previous == running && !names_.empty()) {
    const std::optional<Touch> touch = point.system->pending(point.enabled[best]);
    const std::uint64_t variable = touch ? variable_of(options_.variable_of, touch->object).name : 0;
    if (touch && std::ranges::find(names_, variable) != names_.end()) {
      if (choice_ == choices_.size()) {
        if (cache_.was_here_in(situation())) return Decision::abandon();
        choices_.push_back({.variable = variable, .preempts = false});
      }
      CHECK(choices_[choice_].variable == variable);
      choices_[choice_].object = touch->object;
      if (choices_[choice_++].preempts) {
        fragment_of_[static_cast<std::size_t>(running)] = actors_max_ + ++preempted_;
        best = highest();
      }
    }
  }
  // The first permutation takes the first of an actor's ways, the others one that follows from the
  // permutation.
  const auto ways = static_cast<std::size_t>(
      std::ranges::count(point.enabled, point.enabled[best].actor, &Transition::actor));
  if (ways > 1) {
    has_drawn_ = true;
    best += combine(permutation_, ++drawn_) % (permutation_ == 0 ? 1 : ways);
  }
  return Decision::take(best, Return::kNever);
}

// What decides, with the events so far, how an execution goes on: who runs which fragment, in which order
// these are, with those that nobody runs yet, how many preemptions may follow, and what was drawn.
std::uint64_t VariableThreadBounding::situation() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> fragments;  // the priority, and whose it is
  const auto add = [&](std::uint64_t fragment, std::uint64_t owner) {
    fragments.emplace_back(fragment <= priorities_.size() ? priorities_[fragment - 1] : 0, owner);
  };
  for (std::uint32_t actor = 0; actor < fragment_of_.size(); ++actor)
    if (fragment_of_[actor] != 0) add(fragment_of_[actor], cache_.name_hash(static_cast<ActorId>(actor)));
  for (std::uint64_t next = actors_ + 1; next <= actors_max_; ++next) add(next, next);
  for (std::uint64_t next = preempted_ + 1; next <= bound_; ++next)
    add(actors_max_ + next, actors_max_ + next);
  std::ranges::sort(fragments);
  std::uint64_t hash = combine(preempted_, drawn_ == 0 ? 0 : combine(permutation_, drawn_));
  for (const auto& [priority, owner] : fragments) hash = combine(hash, priority == 0 ? ~owner : owner);
  return hash;
}

// Notes the variable of a transition whose actor has just moved, while others could go on instead.
void VariableThreadBounding::note_variable(SystemView& system, const Transition& transition) {
  const std::optional<Touch> touch = system.pending(transition);
  if (!touch) return;
  const Variable variable = variable_of(options_.variable_of, touch->object);
  if (variable.iteration > options_.iterations.value_or(variable.iteration)) return;
  const auto [place, is_new] = place_of_.try_emplace(variable.name, known_.size());
  if (is_new)
    known_.push_back(
        {.variable = variable, .first_actor = cache_.name_hash(transition.actor), .is_shared = false});
}

void VariableThreadBounding::observe(const Event& event) {
  cache_.observe(event);
  for (const Touch& touch : event.footprint) {
    const auto known = place_of_.find(variable_of(options_.variable_of, touch.object).name);
    if (known != place_of_.end() && known_[known->second].first_actor != cache_.name_hash(event.actor))
      known_[known->second].is_shared = true;
  }
}

Novelty VariableThreadBounding::end_execution(Outcome outcome) {
  // The permutation stays as it was drawn while placements are tried.
  has_ended_ = true;
  actors_seen_ = std::max(actors_seen_, actors_);
  if (outcome != Outcome::kRunning && cache_.was_at_end()) return Novelty::kRepeated;
  return Novelty::kNew;
}

// ---- Positions -------------------------------------------------------------------------------------------

// What executions have told about the program.
void VariableThreadBounding::write_learned(PositionWriter& writer) const {
  writer.put(is_exact_ ? 1 : 0);
  writer.put(has_drawn_ ? 1 : 0);
  writer.put(actors_seen_);
  writer.put_all(known_, [&](const Known& known) {
    writer.put(known.variable.name);
    writer.put(known.variable.iteration);
    writer.put(known.first_actor);
    writer.put(known.is_shared ? 1 : 0);
  });
}

void VariableThreadBounding::read_learned(PositionReader& reader) {
  known_.clear();
  place_of_.clear();
  is_exact_ = reader.get() != 0;
  has_drawn_ = reader.get() != 0;
  actors_seen_ = reader.get32();
  reader.get_all([&] {
    Known& known = known_.emplace_back();
    known.variable = {.name = reader.get(), .iteration = reader.get32()};
    known.first_actor = reader.get();
    known.is_shared = reader.get() != 0;
    place_of_.emplace(known.variable.name, known_.size() - 1);
  });
}

bool VariableThreadBounding::write_position(PositionWriter& writer) const {
  writer.put(kPositionFormat);
  writer.put(set_number_);
  for (const bool flag : {has_begun_, has_ended_, enters_set_}) writer.put(flag ? 1 : 0);
  for (const std::uint64_t number :
       {std::uint64_t{actors_max_}, std::uint64_t{bound_}, std::uint64_t{actors_of_stage_},
        std::uint64_t{size_}, std::uint64_t{threads_}, std::uint64_t{iteration_},
        std::uint64_t{actors_with_fewer_}, std::uint64_t{known_of_stage_}, std::uint64_t{known_with_fewer_},
        std::uint64_t{permutation_}})
    writer.put(number);
  write_learned(writer);
  writer.put(completed_ ? 1 : 0);
  if (completed_)
    for (const std::uint32_t number :
         {completed_->changes, completed_->variables, completed_->threads, completed_->iterations})
      writer.put(number);
  const auto put_one = [&](std::uint64_t number) { writer.put(number); };
  writer.put_all(set_, put_one);
  writer.put_all(names_, put_one);
  writer.put_all(order_of_sets_, put_one);
  writer.put_all(priorities_, put_one);
  writer.put_all(choices_, [&](const Choice& choice) {
    writer.put(choice.variable);
    writer.put(choice.preempts ? 1 : 0);
  });
  cache_.write_position(writer);
  return true;
}

bool VariableThreadBounding::read(PositionReader& reader) {
  if (reader.get() != kPositionFormat) return false;
  set_number_ = reader.get();
  for (bool* const flag : {&has_begun_, &has_ended_, &enters_set_}) *flag = reader.get() != 0;
  for (std::uint32_t* const number :
       {&actors_max_, &bound_, &actors_of_stage_, &size_, &threads_, &iteration_, &actors_with_fewer_})
    *number = reader.get32();
  for (std::size_t* const number : {&known_of_stage_, &known_with_fewer_, &permutation_})
    *number = reader.get();
  read_learned(reader);
  if (reader.get() != 0) {
    completed_.emplace();
    for (std::uint32_t* const number :
         {&completed_->changes, &completed_->variables, &completed_->threads, &completed_->iterations})
      *number = reader.get32();
  }
  for (auto* const numbers : {&set_, &names_, &order_of_sets_, &priorities_})
    reader.get_all([&] { numbers->push_back(reader.get()); });
  reader.get_all([&] {
    const std::uint64_t variable = reader.get();
    choices_.push_back({.variable = variable, .preempts = reader.get() != 0});
  });
  cache_.read_position(reader);
  const auto is_known = [&](const Choice& choice) { return place_of_.contains(choice.variable); };
  return !reader.is_damaged() &&
         std::ranges::all_of(order_of_sets_, [&](std::uint64_t place) { return place < known_.size(); }) &&
         std::ranges::all_of(set_, [&](std::size_t place) { return place < order_of_sets_.size(); }) &&
         std::ranges::all_of(choices_, is_known);
}

}  // namespace ravel
