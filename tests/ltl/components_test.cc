#include "ltl/components.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace ravel::ltl {
namespace {

Automaton random_automaton(Random& random) {
  Automaton automaton;
  automaton.acceptance_sets = static_cast<unsigned>(random.below(3));
  automaton.states.resize(1 + random.below(8));
  for (std::vector<AutomatonEdge>& edges : automaton.states)
    for (std::uint64_t i = random.below(3); i > 0; --i)
      edges.push_back({.acceptance = random.below(automaton.all_acceptance_sets() + 1),
                       .target = static_cast<std::uint32_t>(random.below(automaton.states.size()))});
  return automaton;
}

// By one edge or more (Floyd & Warshall).
std::vector<std::vector<bool>> reached(const Automaton& automaton) {
  const std::size_t size = automaton.states.size();
  std::vector<std::vector<bool>> reaches(size, std::vector<bool>(size));
  for (std::size_t from = 0; from < size; ++from)
    for (const AutomatonEdge& edge : automaton.states[from]) reaches[from][edge.target] = true;
  for (std::size_t by = 0; by < size; ++by)
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; to < size; ++to)
        if (reaches[from][by] && reaches[by][to]) reaches[from][to] = true;
  return reaches;
}

TEST(Components, AreThoseOfTheTransitiveClosure) {
  std::size_t accepting_count = 0, before_count = 0;
  constexpr std::uint64_t kSeeds = 5'000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const Automaton automaton = random_automaton(random);
    const auto reaches = reached(automaton);
    const Components components(automaton);
    const std::vector<bool> before = states_before_accepting(automaton);
    std::vector<bool> accepts(automaton.states.size());
    for (std::size_t state = 0; state < automaton.states.size(); ++state) {
      const bool is_reached = state == 0 || reaches[0][state];
      ASSERT_EQ(components.of[state] != Components::kNone, is_reached) << seed;
      if (!is_reached) continue;
      std::uint64_t acceptance = 0;
      for (std::size_t from = 0; from < automaton.states.size(); ++from)
        for (const AutomatonEdge& edge : automaton.states[from])
          if (reaches[state][from] && reaches[from][state] && reaches[edge.target][from])
            acceptance |= edge.acceptance;
      accepts[state] = reaches[state][state] && acceptance == automaton.all_acceptance_sets();
      ASSERT_EQ(components.is_accepting[components.of[state]], accepts[state]) << seed;
      accepting_count += accepts[state] ? 1 : 0;
      for (std::size_t other = 0; other < automaton.states.size(); ++other) {
        if (other == state || !(other == 0 || reaches[0][other])) continue;
        ASSERT_EQ(components.of[state] == components.of[other],
                  reaches[state][other] && reaches[other][state])
            << seed;
        if (!reaches[state][other]) continue;
        ASSERT_GE(components.of[state], components.of[other]) << seed;
      }
    }
    for (std::size_t state = 0; state < automaton.states.size(); ++state) {
      if (state != 0 && !reaches[0][state]) continue;
      bool is_before = !accepts[state];
      for (std::size_t other = 0; other < automaton.states.size(); ++other)
        if (accepts[other] && reaches[other][state]) is_before = false;
      ASSERT_EQ(before[state], is_before) << seed;
      before_count += is_before ? 1 : 0;
    }
  }
  EXPECT_GT(accepting_count, kSeeds / 2);
  EXPECT_GT(before_count, kSeeds / 2);
}

}  // namespace
}  // namespace ravel::ltl
