// Loops in which nobody does more than look: found if and only if the graph of these steps has a fair cycle,
// by the transitive closure.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "engine/round_finder.h"
#include "engine/system_wrapper.h"
#include "states/polling_loops.h"
#include "states/state_search.h"
#include "tests/fair_cycles/small_graph.h"
#include "tests/states/toy_searches.h"
#include "tests/toy/programs.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using fair_cycles::SmallGraph;
using toy::Op;
using toy::Program;
using toy::ToySystem;

const std::vector<toy::Operation> kAlphabet = {{Op::kWrite, 0}, {Op::kGive, 0},  {Op::kTake, 0},
                                               {Op::kAgain, 0}, {Op::kWrite, 1}, {Op::kAgain, 0}};

// With an end, and many states.
const std::vector<toy::Operation> kFinite = {
    {Op::kWrite, 0}, {Op::kWrite, 1}, {Op::kWrite, 0}, {Op::kAgain, 0}, {Op::kWrite, 1}};

// A toy system in which it follows from a seed which steps only look: most of those that change nothing but
// where their actor is.
class Looking final : public SystemWrapper {
 public:
  Looking(ToySystem& system, std::uint64_t seed) : SystemWrapper(system), system_(system), seed_(seed) {}

  Event step(const Transition& transition) override {
    const std::string before = system_.state_text();
    const ActorId actor = transition.actor;
    const Event event = SystemWrapper::step(transition);
    const std::uint64_t what = combine(hash_string(before), hash_string(system_.state_text()));
    has_looked_ = combine(combine(seed_, what), static_cast<std::uint64_t>(actor)) % 4 != 0;
    return event;
  }
  Letter letter() override { return {.state = 0, .step = has_looked_ ? kOnlyLooked : 0}; }

  std::string state_text() const { return system_.state_text(); }

 private:
  ToySystem& system_;
  const std::uint64_t seed_;
  bool has_looked_ = false;
};

// The graph of the steps that only look; its first vertex leads to all others.
class Looks {
 public:
  explicit Looks(Looking& system) : system_(system) {
    system_.reset();
    visit({});
  }

  // Counters may grow without an end.
  bool are_all() const { return numbers_.size() < kStatesMax; }
  bool have_fair_cycle() const {
    return has_fair_cycle_by_closure(graph_, {.fairness = fair_cycles::Fairness::kWeak});
  }

 private:
  // REQUIRES: these steps lead to the present state.
  std::uint32_t visit(const std::vector<Transition>& way) {
    const auto [known, is_new] =
        numbers_.try_emplace(system_.state_text(), static_cast<std::uint32_t>(numbers_.size() + 1));
    const std::uint32_t number = known->second;
    if (!is_new || !are_all()) return number;
    graph_.add(0, number);
    const std::vector<Transition> enabled(system_.enabled().begin(), system_.enabled().end());
    for (const Transition& transition : enabled)
      graph_.enable(number, {static_cast<std::uint32_t>(transition.actor)});
    for (const Transition& transition : enabled) {
      std::vector<Transition> next = way;
      next.push_back(transition);
      system_.reset();
      for (const Transition& one : next) system_.step(one);
      const bool looks = system_.letter().step == kOnlyLooked;
      if (system_.outcome() != Outcome::kRunning) continue;
      const std::uint32_t target = visit(next);
      if (looks) graph_.add(number, target, fair_cycles::Actor{static_cast<std::uint32_t>(transition.actor)});
    }
    return number;
  }

  static constexpr std::size_t kStatesMax = 200;

  Looking& system_;
  SmallGraph graph_;
  std::map<std::string, std::uint32_t> numbers_;
};

bool has_livelock(const Exploration& found) {
  return std::ranges::any_of(found.bugs, [](const FoundBug& one) { return one.bug.kind == kLivelock; });
}

enum class Way { kAtOnce, kInParts };

Exploration search(const Program& program, std::uint64_t seed, StateOrder order, Way way,
                   std::size_t* interruptions = nullptr) {
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  if (way == Way::kInParts) limits.seconds = 4;
  Exploration so_far;
  for (;;) {
    ToySystem toy(program);
    Looking system(toy, seed);
    TickingClock clock;
    StateSearch search(system, order, limits, clock);
    search.look_for_polling(Fairness::kWeak);
    const bool goes_on = !so_far.position || search.go_on_from(std::move(so_far));
    EXPECT_TRUE(goes_on);
    so_far = search.run();
    if (so_far.stop != Stop::kTimeBudget || testing::Test::HasFailure()) return so_far;
    if (interruptions != nullptr) ++*interruptions;
  }
}

TEST(PollingLoops, AreFoundWhereverThereAreSome) {
  std::size_t with_loop = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Program program = toy::random_program(random, kAlphabet, 3, 3);
    ToySystem toy(program);
    Looking system(toy, seed);
    const Looks looks(system);
    if (!looks.are_all()) continue;
    const bool expected = looks.have_fair_cycle();
    for (const StateOrder order : kOrders) {
      const Exploration found = search(program, seed, order, Way::kAtOnce);
      EXPECT_EQ(found.stop, Stop::kComplete);
      EXPECT_EQ(has_livelock(found), expected) << to_string(program);
      EXPECT_LE(std::ranges::count_if(found.bugs, [](const FoundBug& one) { return one.lasso.has_value(); }),
                1);
    }
    ++(expected ? with_loop : without);
    if (HasFailure()) return;
  }
  EXPECT_GT(with_loop, 50u);
  EXPECT_GT(without, 50u);
}

TEST(PollingLoops, AreFoundInAnInterruptedSearch) {
  std::size_t with_loop = 0, without = 0, interruptions = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Program program = toy::random_program(random, kFinite, 4, 5);
    for (const StateOrder order : kOrders) {
      const Exploration whole = search(program, seed, order, Way::kAtOnce);
      const Exploration found = search(program, seed, order, Way::kInParts, &interruptions);
      EXPECT_EQ(has_livelock(found), has_livelock(whole)) << to_string(program);
      EXPECT_EQ(found.counts.states->states, whole.counts.states->states);
      ++(has_livelock(whole) ? with_loop : without);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(with_loop, 5u);
  EXPECT_GT(without, 5u);
  EXPECT_GT(interruptions, 50u);
}

// The loop that is told leads from a state to itself, and serves who could move all the time.
TEST(PollingLoops, AreFairOnesOfTheirSteps) {
  constexpr fair_cycles::Shape kShape = {
      .nodes_max = 6, .edges_max = 12, .actors_max = 3, .acceptance_sets_max = 0};
  std::size_t loops = 0;
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const SmallGraph graph = random_graph(random, kShape);
    SmallGraph looks;  // what is told: each edge as its own transition of an actor that can move
    PollingLoops polling;
    std::vector<std::vector<Transition>> transitions(graph.vertices.size());
    for (std::uint32_t from = 0; from < graph.vertices.size(); ++from) {
      for (const fair_cycles::Edge& edge : graph.vertices[from].edges)
        transitions[from].push_back({.actor = ActorId{static_cast<std::uint32_t>(edge.actor)}});
      const std::size_t edges = transitions[from].size();
      for (const fair_cycles::Actor actor : graph.vertices[from].enabled)
        transitions[from].push_back({.actor = ActorId{static_cast<std::uint32_t>(actor)}});
      looks.add(0, from + 1);
      for (const Transition& one : transitions[from])
        looks.enable(from + 1, {static_cast<std::uint32_t>(one.actor)});
      for (std::uint32_t i = 0; i < edges; ++i) {
        const fair_cycles::Edge& edge = graph.vertices[from].edges[i];
        looks.add(from + 1, static_cast<std::uint32_t>(edge.target) + 1, edge.actor);
        polling.note(StateNumber{from}, i, transitions[from],
                     StateNumber{static_cast<std::uint32_t>(edge.target)});
      }
    }
    const auto loop = polling.find(Fairness::kWeak);
    ASSERT_EQ(loop.has_value(), has_fair_cycle_by_closure(looks, {.fairness = Fairness::kWeak}));
    if (!loop) continue;
    ++loops;
    auto state = static_cast<std::uint32_t>(loop->begin);
    std::vector<std::uint32_t> states;
    for (const std::uint32_t index : loop->indices) {
      states.push_back(state);
      ASSERT_LT(index, graph.vertices[state].edges.size());
      state = static_cast<std::uint32_t>(graph.vertices[state].edges[index].target);
    }
    EXPECT_EQ(StateNumber{state}, loop->begin);
    for (const Transition& waiting : transitions[state]) {
      bool is_served = false;
      for (std::size_t i = 0; i < states.size(); ++i) {
        const std::vector<Transition>& here = transitions[states[i]];
        is_served |= here[loop->indices[i]].actor == waiting.actor;
        is_served |= std::ranges::count(here, waiting.actor, &Transition::actor) == 0;
      }
      EXPECT_TRUE(is_served);
    }
  }
  EXPECT_GT(loops, 100u);
}

}  // namespace
}  // namespace ravel
