#include "ltl/tableau.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.h"
#include "ltl/normal_form.h"
#include "ltl/translate.h"

namespace ravel::ltl {
namespace {

std::uint32_t number(Formula formula) { return static_cast<std::uint32_t>(formula); }

bool is_subset(std::uint64_t a, std::uint64_t b) { return (a & ~b) == 0; }

std::uint64_t summary_of(const FormulaSet& set) {
  std::uint64_t summary = 0;
  for (const Formula formula : set) summary |= std::uint64_t{1} << number(formula) % 64;
  return summary;
}

// Whether whatever `other` allows is allowed by `way`, promises apart.
bool asks_for_no_more(const Way& way, const Way& other) {
  return is_subset(way.required, other.required) && is_subset(way.forbidden, other.forbidden) &&
         is_subset(way.summary, other.summary) && std::ranges::includes(other.next, way.next);
}

// Establishes the invariant of Ways.
void drop_dominated(Ways& ways) {
  std::ranges::sort(ways);
  ways.erase(std::ranges::unique(ways).begin(), ways.end());
  // Of two different ways at most one dominates the other, so the order of removal does not matter.
  std::vector<bool> is_dominated(ways.size());
  for (std::size_t i = 0; i < ways.size(); ++i)
    for (std::size_t j = 0; j < ways.size() && !is_dominated[i]; ++j)
      is_dominated[i] =
          i != j && is_subset(ways[j].promises, ways[i].promises) && asks_for_no_more(ways[j], ways[i]);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (is_dominated[i]) continue;
    if (kept != i) ways[kept] = std::move(ways[i]);
    ++kept;
  }
  ways.resize(kept);
}

Error too_many(std::size_t most, const std::string& what) {
  return Error{"the formula needs more than " + std::to_string(most) + " " + what +
               "; split it into several formulas"};
}

}  // namespace

Tableau::Tableau(const FormulaPool& pool, Formula formula) : pool_(pool), formula_(formula) {}

Status Tableau::number_propositions_and_promises() {
  std::vector<bool> seen(pool_.size());
  std::vector<Formula> todo = {formula_};
  propositions_ = pool_.atoms(formula_);
  std::ranges::sort(propositions_);  // as they were read
  for (const Formula atom : propositions_)
    proposition_bits_.emplace(number(atom), static_cast<unsigned>(proposition_bits_.size()));
  while (!todo.empty()) {
    const Formula one = todo.back();
    const Operator op = pool_.op(one);
    todo.pop_back();
    if (seen[number(one)] || (!is_unary(op) && !is_binary(op))) continue;
    seen[number(one)] = true;
    if (op == Operator::kUntil) {
      promise_bits_.emplace(number(one), static_cast<unsigned>(promised_.size()));
      promised_.push_back(one);
    }
    if (is_binary(op)) todo.push_back(pool_.right(one));
    todo.push_back(pool_.left(one));
  }
  if (proposition_bits_.size() > kPropositionsMax) return too_many(kPropositionsMax, "propositions");
  if (promised_.size() > kAcceptanceSetsMax)
    return too_many(kAcceptanceSetsMax, "acceptance sets (one for each eventuality)");
  return Success{};
}

FormulaSet Tableau::conjuncts(Formula formula) const {
  if (formula == kTrue) return {};
  FormulaSet set = operands(pool_, formula, Operator::kAnd);
  std::ranges::sort(set);
  set.erase(std::ranges::unique(set).begin(), set.end());
  return set;
}

const Ways& Tableau::expand(Formula formula) {
  if (const auto known = expanded_.find(number(formula)); known != expanded_.end()) return known->second;
  Ways ways = expand_new(formula);
  return expanded_.emplace(number(formula), std::move(ways)).first->second;
}

// References into expanded_ stay valid while others are added.
Ways Tableau::expand_new(Formula formula) {
  const Operator op = pool_.op(formula);
  const auto later = [&](Formula what) {
    Way way{.next = conjuncts(what)};
    way.summary = summary_of(way.next);
    return way;
  };
  const auto bit = [&](Formula atom) { return std::uint64_t{1} << proposition_bits_.at(number(atom)); };
  switch (op) {
    case Operator::kFalse: return {};
    case Operator::kTrue: return {Way{}};
    case Operator::kAtom: return {Way{.required = bit(formula)}};
    case Operator::kNot: return {Way{.forbidden = bit(pool_.left(formula))}};
    case Operator::kNext: {
      if (pool_.left(formula) == kFalse) return {};
      return {later(pool_.left(formula))};
    }
    case Operator::kAnd: return both(expand(pool_.left(formula)), expand(pool_.right(formula)));
    case Operator::kOr: return either(expand(pool_.left(formula)), expand(pool_.right(formula)));
    case Operator::kUntil: {  // b | a & X (a U b), with a promise
      Way put_off = later(formula);
      put_off.promises = std::uint64_t{1} << promise_bits_.at(number(formula));
      return either(both(expand(pool_.left(formula)), {put_off}), expand(pool_.right(formula)));
    }
    case Operator::kRelease:  // b & (a | X (a R b))
      return both(expand(pool_.right(formula)), either({later(formula)}, expand(pool_.left(formula))));
    default: CHECK_MESSAGE(false, "a formula that is not in normal form");
  }
  __builtin_unreachable();
}

Ways Tableau::expand_all(const FormulaSet& set) {
  Ways ways = {Way{}};
  for (const Formula formula : set) ways = both(ways, expand(formula));
  return ways;
}

Ways Tableau::both(const Ways& a, const Ways& b) {
  Ways ways;
  if (error_) return ways;
  if (a.size() * b.size() > kCombinationsMax) {
    error_ = too_many(kCombinationsMax, "combinations of edges");
    return ways;
  }
  for (const Way& one : a) {
    for (const Way& other : b) {
      const std::uint64_t required = one.required | other.required;
      const std::uint64_t forbidden = one.forbidden | other.forbidden;
      if ((required & forbidden) != 0) continue;
      Way way{.required = required, .forbidden = forbidden, .promises = one.promises | other.promises};
      way.summary = one.summary | other.summary;
      way.next.reserve(one.next.size() + other.next.size());
      std::ranges::set_union(one.next, other.next, std::back_inserter(way.next));
      ways.push_back(std::move(way));
    }
    // Dropping ways early keeps them from multiplying.
    if (ways.size() > 2 * kWaysMax) drop_dominated(ways);
    if (ways.size() > 2 * kWaysMax) break;
  }
  drop_dominated(ways);
  if (ways.size() > kWaysMax) {
    error_ = too_many(kWaysMax, "edges of one state");
    ways.clear();
  }
  return ways;
}

Ways Tableau::either(Ways a, const Ways& b) {
  a.insert(a.end(), b.begin(), b.end());
  drop_dominated(a);
  return a;
}

// Drops promises of `a U b` if the way satisfies b now, though it need not have been chosen for that. What b
// puts off in turn is an obligation of the next state, whoever promises it.
void Tableau::keep_promises(Way& way) {
  for (std::uint64_t rest = way.promises; rest != 0; rest &= rest - 1) {
    const Formula until = promised_[static_cast<std::size_t>(std::countr_zero(rest))];
    const Ways& to_keep = expand(pool_.right(until));
    if (std::ranges::any_of(to_keep, [&](const Way& one) { return asks_for_no_more(one, way); }))
      way.promises &= ~(rest & -rest);
  }
}

// Formulas whose expansion is a part of this formula's expansion: those of b if it is a R b.
const FormulaSet& Tableau::repeated_by(Formula formula) {
  if (const auto known = repeated_.find(number(formula)); known != repeated_.end()) return known->second;
  FormulaSet found;
  if (pool_.op(formula) == Operator::kRelease) {
    for (const Formula one : conjuncts(pool_.right(formula))) {
      found.push_back(one);
      const FormulaSet& inner = repeated_by(one);
      found.insert(found.end(), inner.begin(), inner.end());
    }
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
  }
  return repeated_.emplace(number(formula), std::move(found)).first->second;
}

// To expand {G a, a} gives the same as to expand {G a}, so that a set is never met with such a formula in it.
void Tableau::drop_repeated(FormulaSet& set) {
  FormulaSet kept;
  for (const Formula formula : set) {
    const bool is_repeated = std::ranges::any_of(
        set, [&](Formula other) { return std::ranges::binary_search(repeated_by(other), formula); });
    if (!is_repeated) kept.push_back(formula);
  }
  set = std::move(kept);
}

std::uint32_t Tableau::state_of(const FormulaSet& set) {
  const auto [known, is_new] = states_of_sets_.try_emplace(set, 0);
  if (!is_new) return known->second;
  Ways ways = expand_all(set);
  for (Way& way : ways) {
    keep_promises(way);
    drop_repeated(way.next);
    way.summary = summary_of(way.next);
  }
  drop_dominated(ways);
  const auto [place, is_new_state] =
      states_of_ways_.try_emplace(ways, static_cast<std::uint32_t>(states_.size()));
  if (is_new_state) states_.push_back(std::move(ways));
  return known->second = place->second;
}

Result<Automaton> Tableau::build() {
  if (const Status numbered = number_propositions_and_promises(); !numbered) return numbered.error();
  Automaton automaton;
  for (const Formula atom : propositions_) automaton.propositions.emplace_back(pool_.text(atom));
  automaton.acceptance_sets = static_cast<unsigned>(promised_.size());
  FormulaSet first = conjuncts(formula_);
  drop_repeated(first);
  state_of(first);
  std::size_t edge_count = 0;
  for (std::size_t state = 0; state < states_.size() && !error_; ++state) {
    auto& edges = automaton.states.emplace_back();
    const Ways ways = states_[state];  // a copy, since states_ grows
    edge_count += ways.size();
    if (states_.size() > kStatesMax) return too_many(kStatesMax, "states");
    if (edge_count > kEdgesMax) return too_many(kEdgesMax, "edges");
    for (const Way& way : ways)
      edges.push_back({.required = way.required,
                       .forbidden = way.forbidden,
                       .acceptance = automaton.all_acceptance_sets() & ~way.promises,
                       .target = state_of(way.next)});
  }
  if (error_) return *error_;
  return automaton;
}

}  // namespace ravel::ltl
