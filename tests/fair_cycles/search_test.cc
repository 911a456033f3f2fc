#include "fair_cycles/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "tests/fair_cycles/small_graph.h"

namespace ravel::fair_cycles {
namespace {

using Reference = bool (*)(const SmallGraph&, const Options&);

void compare(std::uint64_t seeds, const Shape& shape, Reference has_fair_cycle) {
  std::size_t found_count = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    SmallGraph graph = random_graph(random, shape);
    const Options options = random_options(random, shape);
    const Found found = find_fair_cycle(graph, options);
    const bool expected = has_fair_cycle(graph, options);
    ASSERT_EQ(found.outcome, expected ? Outcome::kFound : Outcome::kNone) << seed << "\n"
                                                                          << graph.to_string();
    for (const unsigned times : graph.expanded) ASSERT_LE(times, 1u) << seed;
    if (!expected) continue;
    ++found_count;
    const auto mistake = mistake_in(found.counterexample, graph, options);
    ASSERT_FALSE(mistake) << seed << ": " << *mistake << "\n" << graph.to_string();
  }
  // Answers of both kinds are frequent.
  EXPECT_GT(found_count * 10, seeds);
  EXPECT_LT(found_count * 10, seeds * 9);
}

TEST(Search, FindsWhatTheEnumerationOfAllSetsOfNodesFinds) {
  compare(20'000, {.nodes_max = 6, .edges_max = 14, .actors_max = 3, .acceptance_sets_max = 2},
          has_fair_cycle_by_subsets);
}

TEST(Search, FindsWhatTheDecompositionByTheTransitiveClosureFinds) {
  compare(6'000, {.nodes_max = 16, .edges_max = 50, .actors_max = 5, .acceptance_sets_max = 4},
          has_fair_cycle_by_closure);
  compare(500, {.nodes_max = 40, .edges_max = 120, .actors_max = 12, .acceptance_sets_max = 6},
          has_fair_cycle_by_closure);
}

TEST(Search, CounterexamplesAreShort) {
  const Shape shape{.nodes_max = 12, .edges_max = 36, .actors_max = 4, .acceptance_sets_max = 3};
  std::size_t ours = 0, shortest = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    SmallGraph graph = random_graph(random, shape);
    Options options = random_options(random, shape);
    if (options.fairness == Fairness::kStrong) options.fairness = Fairness::kWeak;
    const Found found = find_fair_cycle(graph, options);
    const std::size_t best = shortest_counterexample(graph, options);
    ASSERT_EQ(found.outcome == Outcome::kFound, best > 0) << seed;
    ours += found.counterexample.stem.size() + found.counterexample.cycle.size();
    shortest += best;
  }
  EXPECT_LT(ours * 10, shortest * 13) << ours << " steps, " << shortest << " at best";
}

// A graph that is searched from several nodes, one after the other.
class SeveralRoots final : public Graph {
 public:
  SeveralRoots(SmallGraph& graph, std::vector<Node> roots) : graph_(graph), roots_(std::move(roots)) {}
  Node initial() override { return roots_[given_++]; }
  std::optional<Node> next_root() override {
    return given_ < roots_.size() ? std::optional(roots_[given_++]) : std::nullopt;
  }
  void expand(Node node, Expansion& expansion) override { graph_.expand(node, expansion); }
  Node last_root() const { return roots_[given_ - 1]; }

 private:
  SmallGraph& graph_;
  const std::vector<Node> roots_;
  std::size_t given_ = 0;
};

// The same graph with another initial node: the two change places.
SmallGraph beginning_at(Node root, SmallGraph graph) {
  const auto number = static_cast<std::uint32_t>(root);
  std::swap(graph.vertices[0], graph.vertices[number]);
  for (SmallGraph::Vertex& vertex : graph.vertices)
    for (Edge& edge : vertex.edges)
      edge.target = edge.target == Node{0} ? root : edge.target == root ? Node{0} : edge.target;
  return graph;
}

TEST(Search, GoesOnFromOtherRoots) {
  constexpr std::uint64_t kSeeds = 10'000;
  const Shape shape{.nodes_max = 10, .edges_max = 14, .actors_max = 3, .acceptance_sets_max = 2};
  std::size_t found_count = 0, found_later = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    SmallGraph graph = random_graph(random, shape);
    const Options options = random_options(random, shape);
    std::vector<Node> roots;
    for (std::uint64_t i = 1 + random.below(4); i > 0; --i)
      roots.push_back(Node{static_cast<std::uint32_t>(random.below(graph.vertices.size()))});
    SeveralRoots searched(graph, roots);
    const Found found = find_fair_cycle(searched, options);
    const auto first = std::ranges::find_if(
        roots, [&](Node root) { return has_fair_cycle_by_closure(beginning_at(root, graph), options); });
    ASSERT_EQ(found.outcome, first != roots.end() ? Outcome::kFound : Outcome::kNone) << seed;
    for (const unsigned times : graph.expanded) ASSERT_LE(times, 1u) << seed;
    if (found.outcome != Outcome::kFound) continue;
    ++found_count;
    found_later += first != roots.begin() ? 1 : 0;
    ASSERT_EQ(searched.last_root(), *first) << seed;
    const auto& [stem, cycle] = found.counterexample;
    ASSERT_EQ((stem.empty() ? cycle : stem).front().from, *first) << seed;
    const auto mistake = mistake_in(found.counterexample, graph, options, *first);
    ASSERT_FALSE(mistake) << seed << ": " << *mistake << "\n" << graph.to_string();
  }
  EXPECT_GT(found_count * 10, kSeeds);
  EXPECT_GT(found_later * 50, kSeeds);
}

// Two actors, both enabled everywhere. The cycle 0 1 2 is actor 1's alone. A depth-first search takes it
// first, and leaves 1 and 2 for good if it remembers nodes but not who was served on the way to them. The
// fair cycle 0 3 1 2 goes through both.
TEST(Search, AFairCycleThroughANodeAlreadyVisitedAndLeftIsFound) {
  SmallGraph graph;
  graph.add(0, 1, Actor{1}, 1);
  graph.add(1, 2, Actor{1});
  graph.add(2, 0, Actor{1});
  graph.add(0, 3, Actor{2}, 1);
  graph.add(3, 1, Actor{1});
  for (std::uint32_t node = 0; node < 4; ++node) graph.enable(node, {1, 2});
  for (const Fairness fairness : {Fairness::kWeak, Fairness::kStrong}) {
    const Options options{.acceptance = 1, .fairness = fairness};
    const Found found = find_fair_cycle(graph, options);
    ASSERT_EQ(found.outcome, Outcome::kFound);
    EXPECT_EQ(mistake_in(found.counterexample, graph, options), std::nullopt);
    EXPECT_TRUE(found.counterexample.stem.empty());
    EXPECT_EQ(found.counterexample.cycle.size(), 4u);
  }
}

TEST(Search, ACycleOnWhichAnActorWaitsForEverIsOnlyFoundWithoutFairness) {
  SmallGraph graph;
  graph.add(0, 0, Actor{1});
  graph.enable(0, {1, 2});
  EXPECT_EQ(find_fair_cycle(graph, {.fairness = Fairness::kNone}).outcome, Outcome::kFound);
  EXPECT_EQ(find_fair_cycle(graph, {.fairness = Fairness::kWeak}).outcome, Outcome::kNone);
  EXPECT_EQ(find_fair_cycle(graph, {.fairness = Fairness::kStrong}).outcome, Outcome::kNone);
}

TEST(Search, AnActorThatIsEnabledNowAndThenIsServedOnlyByStrongFairness) {
  SmallGraph graph;
  graph.add(0, 1, Actor{1});
  graph.add(1, 0, Actor{1});
  graph.enable(0, {1, 2});
  graph.enable(1, {1});
  EXPECT_EQ(find_fair_cycle(graph, {.fairness = Fairness::kWeak}).outcome, Outcome::kFound);
  EXPECT_EQ(find_fair_cycle(graph, {.fairness = Fairness::kStrong}).outcome, Outcome::kNone);
  // Of the larger component, only the part in which the actor is never enabled has a fair cycle.
  graph.add(1, 1, Actor{1});
  const Options options{.fairness = Fairness::kStrong};
  const Found found = find_fair_cycle(graph, options);
  ASSERT_EQ(found.outcome, Outcome::kFound);
  EXPECT_EQ(mistake_in(found.counterexample, graph, options), std::nullopt);
  EXPECT_EQ(found.counterexample.stem.size(), 1u);
  EXPECT_EQ(found.counterexample.cycle.size(), 1u);
}

TEST(Search, AnActorThatCouldOnlyMakeProgressMakesACycleWithoutItUnfair) {
  SmallGraph graph;
  graph.add(0, 0, Actor{1});
  graph.add(0, 0, Actor{2}, 0, true);
  graph.enable(0, {1, 2});
  EXPECT_EQ(find_fair_cycle(graph, {.progress = Progress::kIgnored}).outcome, Outcome::kFound);
  EXPECT_EQ(find_fair_cycle(graph, {.progress = Progress::kForbidden}).outcome, Outcome::kNone);
  EXPECT_EQ(find_fair_cycle(graph, {.fairness = Fairness::kNone, .progress = Progress::kForbidden}).outcome,
            Outcome::kFound);
}

TEST(Search, ACycleWithoutProgressIsFoundBehindProgress) {
  SmallGraph graph;
  graph.add(0, 1, Actor{1}, 0, true);
  graph.add(1, 2, Actor{1});
  graph.add(2, 0, Actor{1});
  graph.add(1, 3, Actor{2}, 0, true);
  graph.add(3, 3, Actor{2});
  const Options options{.progress = Progress::kForbidden};
  const Found found = find_fair_cycle(graph, options);
  ASSERT_EQ(found.outcome, Outcome::kFound);
  EXPECT_EQ(mistake_in(found.counterexample, graph, options), std::nullopt);
  EXPECT_EQ(found.counterexample.stem.size(), 2u);
  EXPECT_EQ(found.counterexample.cycle.size(), 1u);
}

TEST(Search, ADeadEndIsACycleIfItStutters) {
  SmallGraph graph;
  graph.add(0, 1, Actor{1});
  graph.enable(0, {1});
  EXPECT_EQ(find_fair_cycle(graph, {}).outcome, Outcome::kNone);
  const Found found = find_fair_cycle(graph, {.dead_end = DeadEnd::kStutters});
  ASSERT_EQ(found.outcome, Outcome::kFound);
  EXPECT_EQ(found.counterexample.stem.size(), 1u);
  ASSERT_EQ(found.counterexample.cycle.size(), 1u);
  EXPECT_EQ(found.counterexample.cycle[0].edge, kStutter);
}

TEST(Search, CountsSayWhatWasSearched) {
  SmallGraph graph;
  graph.add(0, 1, Actor{1});
  graph.add(1, 0, Actor{1});
  graph.add(1, 2, Actor{1});
  graph.add(2, 2, Actor{1});
  const Found found = find_fair_cycle(graph, {.acceptance = 1});
  EXPECT_EQ(found.outcome, Outcome::kNone);
  EXPECT_EQ(found.counts.nodes, 3u);
  EXPECT_EQ(found.counts.edges, 4u);
  EXPECT_EQ(found.counts.components, 2u);
  EXPECT_EQ(found.counts.open_max, 3u);
}

// A ring of nodes with numbers as in a program with two actors, made as it is searched.
class Ring final : public Graph {
 public:
  explicit Ring(std::uint32_t size) : size_(size) {}
  Node initial() override { return Node{0}; }
  void expand(Node node, Expansion& expansion) override {
    const auto number = static_cast<std::uint32_t>(node);
    expansion.enabled = {Actor{0}, Actor{1}};
    expansion.edges.push_back({.target = Node{(number + 1) % size_}, .actor = Actor{0}});
    // Actor 1 moves in one place only.
    if (number == size_ / 2)
      expansion.edges.push_back({.target = Node{number + 1}, .actor = Actor{1}, .acceptance = 1});
  }

 private:
  const std::uint32_t size_;
};

TEST(Search, ALongCycleNeedsNoDeepStack) {
  constexpr std::uint32_t kSize = 1'000'000;
  for (const Fairness fairness : {Fairness::kNone, Fairness::kWeak, Fairness::kStrong}) {
    Ring ring(kSize);
    const Found found = find_fair_cycle(ring, {.acceptance = 1, .fairness = fairness});
    ASSERT_EQ(found.outcome, Outcome::kFound);
    EXPECT_EQ(found.counterexample.cycle.size(), kSize);
    EXPECT_EQ(found.counts.nodes, kSize);
    EXPECT_EQ(std::ranges::count(found.counterexample.cycle, Actor{1}, &Step::actor), 1);
  }
}

TEST(Search, EndsWhenItIsToGiveUp) {
  for (const Fairness fairness : {Fairness::kWeak, Fairness::kStrong}) {
    Ring ring(1'000'000);
    unsigned asked = 0;
    const auto gives_up = [&] { return ++asked == 10; };
    const Found found = find_fair_cycle(ring, {.acceptance = 2, .fairness = fairness, .gives_up = gives_up});
    EXPECT_EQ(found.outcome, Outcome::kGivenUp);
    EXPECT_LT(found.counts.nodes, 20'000u);
    EXPECT_EQ(asked, 10u);
  }
}

}  // namespace
}  // namespace ravel::fair_cycles
