#include "tests/ltl/lasso.h"

#include <algorithm>
#include <functional>

#include "base/check.h"

namespace ravel::ltl {

std::string Lasso::to_string() const {
  std::string text;
  for (std::size_t place = 0; place < letters.size(); ++place) {
    text += place == loop ? " | {" : " {";
    for (std::size_t i = 0; i < kNames.size(); ++i)
      if (letters[place] >> i & 1) text += " " + kNames[i];
    text += " }";
  }
  return text;
}

Lasso random_lasso(Random& random, std::size_t size_max) {
  Lasso word;
  const std::size_t size = 1 + random.below(size_max);
  for (std::size_t i = 0; i < size; ++i) word.letters.push_back(random.below(kLetters));
  word.loop = random.below(size);
  return word;
}

std::vector<Lasso> all_lassos(std::size_t size_max, unsigned propositions) {
  const std::uint64_t letters = std::uint64_t{1} << propositions;
  std::vector<Lasso> words;
  std::vector<std::vector<std::uint64_t>> spelled = {{}};
  for (std::size_t size = 1; size <= size_max; ++size) {
    std::vector<std::vector<std::uint64_t>> longer;
    for (const auto& word : spelled)
      for (std::uint64_t letter = 0; letter < letters; ++letter) {
        longer.push_back(word);
        longer.back().push_back(letter);
      }
    spelled = std::move(longer);
    for (const auto& word : spelled)
      for (std::size_t loop = 0; loop < size; ++loop) words.push_back({word, loop});
  }
  return words;
}

Formula random_formula(Random& random, FormulaPool& pool, unsigned size) {
  if (size <= 1) {
    if (random.chance(1, 12)) return random.chance(1, 2) ? kTrue : kFalse;
    return pool.atom(kNames[random.below(kNames.size())]);
  }
  constexpr Operator kUnary[] = {Operator::kNot, Operator::kNext, Operator::kEventually, Operator::kAlways};
  constexpr Operator kBinary[] = {Operator::kAnd,       Operator::kOr,           Operator::kImplies,
                                  Operator::kIff,       Operator::kUntil,        Operator::kRelease,
                                  Operator::kWeakUntil, Operator::kStrongRelease};
  if (size == 2 || random.chance(2, 5))
    return pool.unary(kUnary[random.below(std::size(kUnary))], random_formula(random, pool, size - 1));
  const auto left = static_cast<unsigned>(1 + random.below(size - 2));
  const Operator op = kBinary[random.below(std::size(kBinary))];
  const Formula a = random_formula(random, pool, left);
  return pool.binary(op, a, random_formula(random, pool, size - 1 - left));
}

namespace {

using Truth = std::vector<bool>;  // at each place of a word

Truth truth(const FormulaPool& pool, Formula formula, const Lasso& word) {
  const std::size_t size = word.letters.size();
  const Operator op = pool.op(formula);
  Truth a, b;
  if (is_unary(op) || is_binary(op)) a = truth(pool, pool.left(formula), word);
  if (is_binary(op)) b = truth(pool, pool.right(formula), word);
  const auto at = [&](std::size_t place) -> bool {
    // After as many steps as there are letters, everything has been seen.
    const auto walk = [&](auto decide, bool otherwise) {
      std::size_t here = place;
      for (std::size_t i = 0; i < size; ++i, here = word.after(here))
        if (const int decided = decide(here); decided >= 0) return decided > 0;
      return otherwise;
    };
    switch (op) {
      case Operator::kFalse: return false;
      case Operator::kTrue: return true;
      case Operator::kAtom: {
        const auto name = std::ranges::find(kNames, pool.text(formula));
        CHECK(name != kNames.end());
        return word.letters[place] >> (name - kNames.begin()) & 1;
      }
      case Operator::kNot: return !a[place];
      case Operator::kNext: return a[word.after(place)];
      case Operator::kEventually: return walk([&](auto here) { return a[here] ? 1 : -1; }, false);
      case Operator::kAlways: return walk([&](auto here) { return a[here] ? -1 : 0; }, true);
      case Operator::kAnd: return a[place] && b[place];
      case Operator::kOr: return a[place] || b[place];
      case Operator::kImplies: return !a[place] || b[place];
      case Operator::kIff: return a[place] == b[place];
      case Operator::kUntil: return walk([&](auto here) { return b[here] ? 1 : a[here] ? -1 : 0; }, false);
      case Operator::kWeakUntil: return walk([&](auto here) { return b[here] ? 1 : a[here] ? -1 : 0; }, true);
      case Operator::kRelease: return walk([&](auto here) { return !b[here] ? 0 : a[here] ? 1 : -1; }, true);
      case Operator::kStrongRelease:
        return walk([&](auto here) { return !b[here] ? 0 : a[here] ? 1 : -1; }, false);
    }
    return false;
  };
  Truth result(size);
  for (std::size_t place = 0; place < size; ++place) result[place] = at(place);
  return result;
}

}  // namespace

bool holds(const FormulaPool& pool, Formula formula, const Lasso& word) {
  return truth(pool, formula, word)[0];
}

TestAutomaton for_test(const Automaton& automaton) {
  TestAutomaton result{.states = {}, .initial = {0}, .all_acceptance_sets = automaton.all_acceptance_sets()};
  for (const auto& edges : automaton.states) {
    auto& converted = result.states.emplace_back();
    for (const AutomatonEdge& edge : edges) {
      std::uint64_t letters = 0;
      for (std::uint64_t letter = 0; letter < kLetters; ++letter) {
        std::uint64_t own = 0;  // the same letter by the automaton's own numbers
        for (std::size_t i = 0; i < automaton.propositions.size(); ++i) {
          const auto name = std::ranges::find(kNames, automaton.propositions[i]) - kNames.begin();
          own |= (letter >> name & 1) << i;
        }
        if (edge.allows(own)) letters |= std::uint64_t{1} << letter;
      }
      converted.push_back({letters, edge.acceptance, edge.target});
    }
  }
  return result;
}

// Looks for a strongly connected component of the product with the word, by two depth-first searches
// (Kosaraju).
bool accepts(const TestAutomaton& automaton, const Lasso& word) {
  struct ProductEdge {
    std::size_t from, to;
    std::uint64_t acceptance;
  };
  const std::size_t size = word.letters.size();
  std::vector<std::vector<std::size_t>> onward(automaton.states.size() * size), back(onward.size());
  std::vector<bool> seen(onward.size());
  std::vector<ProductEdge> edges;
  std::vector<std::size_t> finished;
  const std::function<void(std::size_t)> visit = [&](std::size_t node) {
    seen[node] = true;
    const std::size_t place = node % size;
    for (const auto& edge : automaton.states[node / size]) {
      if ((edge.letters >> word.letters[place] & 1) == 0) continue;
      const std::size_t target = edge.target * size + word.after(place);
      back[target].push_back(node);
      edges.push_back({node, target, edge.acceptance});
      if (!seen[target]) visit(target);
    }
    finished.push_back(node);
  };
  for (const std::uint32_t state : automaton.initial)
    if (!seen[state * size]) visit(state * size);
  std::vector<std::size_t> component(onward.size(), onward.size());
  const std::function<void(std::size_t, std::size_t)> spread = [&](std::size_t node, std::size_t root) {
    component[node] = root;
    for (const std::size_t before : back[node])
      if (component[before] == onward.size()) spread(before, root);
  };
  for (std::size_t i = finished.size(); i-- > 0;)
    if (component[finished[i]] == onward.size()) spread(finished[i], finished[i]);
  std::vector<std::uint64_t> acceptance(onward.size());
  std::vector<bool> has_cycle(onward.size());
  for (const ProductEdge& edge : edges) {
    if (component[edge.from] != component[edge.to]) continue;
    has_cycle[component[edge.from]] = true;
    acceptance[component[edge.from]] |= edge.acceptance;
  }
  for (std::size_t root = 0; root < onward.size(); ++root)
    if (has_cycle[root] && acceptance[root] == automaton.all_acceptance_sets) return true;
  return false;
}

}  // namespace ravel::ltl
