// A formula and the search together: the product of a small program and the automaton of a negated formula.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "fair_cycles/search.h"
#include "ltl/print.h"
#include "ltl/translate.h"
#include "tests/ltl/lasso.h"

namespace ravel::fair_cycles {
namespace {

// States with propositions, and moves of actors between them.
struct Program {
  struct Move {
    Actor actor;
    std::uint32_t target;
  };
  struct State {
    std::uint64_t letter;  // propositions of ltl::kNames
    std::vector<Move> moves;
  };
  std::vector<State> states;
};

Program random_program(Random& random) {
  Program program;
  const std::uint64_t size = 1 + random.below(5);
  for (std::uint64_t i = 0; i < size; ++i) {
    Program::State state{.letter = random.below(ltl::kLetters), .moves = {}};
    for (std::uint64_t moves = random.below(4); moves > 0; --moves)
      state.moves.push_back({Actor{static_cast<std::uint32_t>(random.below(3))},
                             static_cast<std::uint32_t>(random.below(size))});
    program.states.push_back(state);
  }
  return program;
}

// The automaton reads the letter of a state when the program leaves it. A program that has ended stays in its
// last state, and the automaton goes on reading its letter.
class Product final : public Graph {
 public:
  Product(const Program& program, const ltl::Automaton& automaton)
      : program_(program), automaton_(automaton) {
    number_of(0, 0);
  }

  Node initial() override { return Node{0}; }

  void expand(Node node, Expansion& expansion) override {
    const auto [state, reader] = pairs[static_cast<std::uint32_t>(node)];
    for (const Program::Move& move : program_.states[state].moves) expansion.enabled.push_back(move.actor);
    std::vector<Program::Move> moves = program_.states[state].moves;
    if (moves.empty()) moves.push_back({kNoActor, state});
    for (const ltl::AutomatonEdge& edge : automaton_.states[reader]) {
      if (!edge.allows(letter_of(state))) continue;
      for (const Program::Move& move : moves)
        expansion.edges.push_back({.target = number_of(move.target, edge.target),
                                   .actor = move.actor,
                                   .acceptance = edge.acceptance});
    }
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // states of program and automaton, by node

 private:
  Node number_of(std::uint32_t state, std::uint32_t reader) {
    const auto [place, is_new] =
        numbers_.try_emplace({state, reader}, static_cast<std::uint32_t>(pairs.size()));
    if (is_new) pairs.emplace_back(state, reader);
    return Node{place->second};
  }
  // By the automaton's numbers of the propositions.
  std::uint64_t letter_of(std::uint32_t state) const {
    std::uint64_t letter = 0;
    for (std::size_t i = 0; i < automaton_.propositions.size(); ++i) {
      const auto name = std::ranges::find(ltl::kNames, automaton_.propositions[i]) - ltl::kNames.begin();
      letter |= (program_.states[state].letter >> name & 1) << i;
    }
    return letter;
  }

  const Program& program_;
  const ltl::Automaton& automaton_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;
};

// A random execution that ends in a cycle; nothing if the cycle is not weakly fair.
std::optional<ltl::Lasso> random_execution(const Program& program, Random& random, Fairness fairness) {
  std::vector<std::uint32_t> states = {0};
  std::vector<Actor> actors;
  const std::size_t length = 1 + random.below(12);
  for (std::size_t i = 0; i < length; ++i) {
    const auto& moves = program.states[states.back()].moves;
    if (moves.empty()) {
      states.push_back(states.back());
      actors.push_back(kNoActor);
      continue;
    }
    const auto& move = moves[random.below(moves.size())];
    states.push_back(move.target);
    actors.push_back(move.actor);
  }
  const std::size_t loop =
      static_cast<std::size_t>(std::ranges::find(states, states.back()) - states.begin());
  if (loop == length) return std::nullopt;
  for (std::uint32_t actor = 0; actor < 3 && fairness == Fairness::kWeak; ++actor) {
    bool is_served = false;
    for (std::size_t i = loop; i < length; ++i) {
      const auto& moves = program.states[states[i]].moves;
      is_served |= actors[i] == Actor{actor} ||
                   std::ranges::find(moves, Actor{actor}, &Program::Move::actor) == moves.end();
    }
    if (!is_served) return std::nullopt;
  }
  ltl::Lasso word;
  for (std::size_t i = 0; i < length; ++i) word.letters.push_back(program.states[states[i]].letter);
  word.loop = loop;
  return word;
}

TEST(Product, FormulasHoldIfAndOnlyIfNoExecutionViolatesThem) {
  std::size_t violated = 0;
  constexpr std::uint64_t kSeeds = 3000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const Program program = random_program(random);
    ltl::FormulaPool pool;
    const ltl::Formula formula =
        ltl::random_formula(random, pool, static_cast<unsigned>(2 + random.below(7)));
    const auto automaton = ltl::translate_negation(pool, formula);
    ASSERT_TRUE(automaton);
    Product product(program, *automaton);
    const Fairness fairness = random.chance(1, 2) ? Fairness::kWeak : Fairness::kNone;
    const Found found =
        find_fair_cycle(product, {.acceptance = automaton->all_acceptance_sets(), .fairness = fairness});
    if (found.outcome == Outcome::kFound) {
      ++violated;
      ltl::Lasso word;
      const auto read = [&](const Step& step) {
        word.letters.push_back(
            program.states[product.pairs[static_cast<std::uint32_t>(step.from)].first].letter);
      };
      std::ranges::for_each(found.counterexample.stem, read);
      word.loop = word.letters.size();
      std::ranges::for_each(found.counterexample.cycle, read);
      ASSERT_FALSE(ltl::holds(pool, formula, word))
          << seed << ": " << ltl::to_string(pool, formula) << " on" << word.to_string();
    } else {
      for (int i = 0; i < 50; ++i) {
        const auto word = random_execution(program, random, fairness);
        ASSERT_TRUE(!word || ltl::holds(pool, formula, *word))
            << seed << ": " << ltl::to_string(pool, formula) << " on" << word->to_string();
      }
    }
  }
  EXPECT_GT(violated * 10, kSeeds);
  EXPECT_LT(violated * 10, kSeeds * 9);
}

}  // namespace
}  // namespace ravel::fair_cycles
