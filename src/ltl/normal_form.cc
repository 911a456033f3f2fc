#include "ltl/normal_form.h"

#include <algorithm>

#include "base/check.h"

namespace ravel::ltl {
namespace {

std::uint32_t number(Formula formula) { return static_cast<std::uint32_t>(formula); }

std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

Operator dual(Operator op) {
  switch (op) {
    case Operator::kAnd: return Operator::kOr;
    case Operator::kOr: return Operator::kAnd;
    case Operator::kUntil: return Operator::kRelease;
    case Operator::kRelease: return Operator::kUntil;
    default: return op;
  }
}

}  // namespace

std::vector<Formula> operands(const FormulaPool& pool, Formula formula, Operator op) {
  std::vector<Formula> found, todo = {formula};
  while (!todo.empty()) {
    const Formula one = todo.back();
    todo.pop_back();
    if (pool.op(one) != op) {
      found.push_back(one);
      continue;
    }
    todo.push_back(pool.right(one));
    todo.push_back(pool.left(one));
  }
  return found;
}

bool is_safety(const FormulaPool& pool, Formula formula) {
  std::vector<bool> seen(pool.size());
  std::vector<Formula> todo = {formula};
  while (!todo.empty()) {
    const Formula one = todo.back();
    const Operator op = pool.op(one);
    todo.pop_back();
    if (op == Operator::kUntil) return false;
    if (seen[number(one)] || (!is_unary(op) && !is_binary(op))) continue;
    seen[number(one)] = true;
    todo.push_back(pool.left(one));
    if (is_binary(op)) todo.push_back(pool.right(one));
  }
  return true;
}

Formula NormalForm::convert(Formula formula, Polarity polarity) {
  const std::uint64_t key = pair_key(number(formula), static_cast<std::uint32_t>(polarity));
  if (const auto known = converted_.find(key); known != converted_.end()) return known->second;
  const Formula result = convert_new(formula, polarity);
  converted_.emplace(key, result);
  return result;
}

Formula NormalForm::convert_new(Formula formula, Polarity polarity) {
  const bool is_negated = polarity == Polarity::kNegated;
  const Polarity opposite = is_negated ? Polarity::kAsIs : Polarity::kNegated;
  const Operator op = pool_.op(formula);
  const Formula a = is_unary(op) || is_binary(op) ? pool_.left(formula) : kFalse;
  const Formula b = is_binary(op) ? pool_.right(formula) : kFalse;
  // The operator or its dual; operands are converted before, so that rules see what they look like.
  const auto junction_of = [&](Operator wanted, Formula left, Formula right) {
    return junction(is_negated ? dual(wanted) : wanted, left, right);
  };
  const auto temporal_of = [&](Operator wanted, Formula left, Formula right) {
    const bool is_until = (wanted == Operator::kUntil) != is_negated;
    return is_until ? until(left, right) : release(left, right);
  };
  switch (op) {
    case Operator::kFalse: return is_negated ? kTrue : kFalse;
    case Operator::kTrue: return is_negated ? kFalse : kTrue;
    case Operator::kAtom: return is_negated ? pool_.unary(Operator::kNot, formula) : formula;
    case Operator::kNot: return convert(a, opposite);
    case Operator::kNext: return next(convert(a, polarity));
    case Operator::kEventually:
      return temporal_of(Operator::kUntil, is_negated ? kFalse : kTrue, convert(a, polarity));
    case Operator::kAlways:
      return temporal_of(Operator::kRelease, is_negated ? kTrue : kFalse, convert(a, polarity));
    case Operator::kAnd:
    case Operator::kOr: return junction_of(op, convert(a, polarity), convert(b, polarity));
    case Operator::kImplies: return junction_of(Operator::kOr, convert(a, opposite), convert(b, polarity));
    case Operator::kIff: {
      // (a & b) | (!a & !b), and (a & !b) | (!a & b) for the opposite.
      const Formula yes = convert(a, Polarity::kAsIs), no = convert(a, Polarity::kNegated);
      return disjunction(conjunction(yes, convert(b, polarity)), conjunction(no, convert(b, opposite)));
    }
    case Operator::kUntil:
    case Operator::kRelease: return temporal_of(op, convert(a, polarity), convert(b, polarity));
    case Operator::kWeakUntil:        // b R (a | b)
    case Operator::kStrongRelease: {  // b U (a & b)
      const bool is_weak = op == Operator::kWeakUntil;
      const Formula left = convert(a, polarity), right = convert(b, polarity);
      return temporal_of(is_weak ? Operator::kRelease : Operator::kUntil, right,
                         junction_of(is_weak ? Operator::kOr : Operator::kAnd, left, right));
    }
  }
  __builtin_unreachable();
}

NormalForm::Kind NormalForm::kind(Formula formula) {
  if (const auto known = kinds_.find(number(formula)); known != kinds_.end()) return known->second;
  const Operator op = pool_.op(formula);
  const auto of = [&]() -> Kind {
    switch (op) {
      case Operator::kFalse:
      case Operator::kTrue: return {true, true};
      case Operator::kNext: return kind(pool_.left(formula));
      case Operator::kAnd:
      case Operator::kOr:
      case Operator::kUntil:
      case Operator::kRelease: {
        const Kind a = kind(pool_.left(formula)), b = kind(pool_.right(formula));
        const bool is_eventually = op == Operator::kUntil && pool_.left(formula) == kTrue;
        const bool is_always = op == Operator::kRelease && pool_.left(formula) == kFalse;
        return {.eventual = is_eventually || (a.eventual && b.eventual),
                .universal = is_always || (a.universal && b.universal)};
      }
      default: return {false, false};
    }
  };
  const Kind result = of();
  kinds_.emplace(number(formula), result);
  return result;
}

bool NormalForm::implies(Formula a, Formula b) {
  if (a == b || a == kFalse || b == kTrue) return true;
  if (a == kTrue || b == kFalse) return false;
  const std::uint64_t key = pair_key(number(a), number(b));
  if (const auto known = implies_.find(key); known != implies_.end()) return known->second;
  const bool result = implies_new(a, b);
  implies_.emplace(key, result);
  return result;
}

// Goes from each pair to pairs of which at least one is smaller, so it ends.
bool NormalForm::implies_new(Formula a, Formula b) {
  const Operator from = pool_.op(a), to = pool_.op(b);
  const auto a_left = [&] { return pool_.left(a); };
  const auto a_right = [&] { return pool_.right(a); };
  const auto b_left = [&] { return pool_.left(b); };
  const auto b_right = [&] { return pool_.right(b); };

  if (from == Operator::kOr) return implies(a_left(), b) && implies(a_right(), b);
  if (to == Operator::kAnd) return implies(a, b_left()) && implies(a, b_right());
  if (from == Operator::kAnd && (implies(a_left(), b) || implies(a_right(), b))) return true;
  if (to == Operator::kOr && (implies(a, b_left()) || implies(a, b_right()))) return true;
  // Operators of one kind are monotonic.
  if (from == to && from == Operator::kNext) return implies(a_left(), b_left());
  if (from == to && (from == Operator::kUntil || from == Operator::kRelease) && implies(a_left(), b_left()) &&
      implies(a_right(), b_right()))
    return true;
  // x U y implies x | y, and x R y implies y.
  if (from == Operator::kUntil && implies(a_left(), b) && implies(a_right(), b)) return true;
  if (from == Operator::kRelease && implies(a_right(), b)) return true;
  // y implies x U y, and x & y implies x R y.
  if (to == Operator::kUntil && implies(a, b_right())) return true;
  if (to == Operator::kRelease && implies(a, b_left()) && implies(a, b_right())) return true;
  // What holds for ever holds next; what holds next holds at some time.
  if (to == Operator::kNext && is_universal(a) && implies(a, b_left())) return true;
  if (from == Operator::kNext && is_eventual(b) && implies(a_left(), b)) return true;
  return false;
}

Formula NormalForm::junction(Operator op, Formula a, Formula b) {
  const bool is_and = op == Operator::kAnd;
  const Formula neutral = is_and ? kTrue : kFalse, absorbing = is_and ? kFalse : kTrue;
  std::vector<Formula> todo = operands(pool_, b, op);
  std::vector<Formula> parts = operands(pool_, a, op);
  // Adds each operand, unless another one makes it needless or takes its place.
  std::ranges::reverse(todo);
  while (!todo.empty()) {
    Formula added = todo.back();
    todo.pop_back();
    if (added == neutral) continue;
    if (added == absorbing) return absorbing;
    bool is_needless = false;
    for (std::size_t i = 0; i < parts.size();) {
      const Formula part = parts[i];
      // The operand that says more; of a disjunction the one that says less.
      if (is_and ? implies(part, added) : implies(added, part)) {
        is_needless = true;
        break;
      }
      const Formula opposite = of_negation(added);
      if (is_and ? implies(part, opposite) : implies(opposite, part)) return absorbing;
      const Formula joined = join_one(op, part, added);
      if ((is_and ? implies(added, part) : implies(part, added)) || joined != neutral) {
        parts.erase(parts.begin() + static_cast<long>(i));
        if (joined == neutral) continue;
        // What they have become may go with others in turn.
        for (const Formula one : operands(pool_, joined, op)) todo.push_back(one);
        is_needless = true;
        break;
      }
      ++i;
    }
    if (!is_needless) parts.push_back(added);
  }
  if (std::ranges::find(parts, absorbing) != parts.end()) return absorbing;
  std::erase(parts, neutral);
  if (parts.empty()) return neutral;
  std::ranges::sort(parts);
  Formula result = parts.back();
  for (std::size_t i = parts.size() - 1; i-- > 0;) result = pool_.binary(op, parts[i], result);
  return result;
}

// One formula for two operands of a conjunction or disjunction; its neutral formula if there is none.
Formula NormalForm::join_one(Operator op, Formula a, Formula b) {
  const bool is_and = op == Operator::kAnd;
  const Formula neutral = is_and ? kTrue : kFalse;
  const Operator kind_of_both = pool_.op(a);
  if (kind_of_both != pool_.op(b)) return neutral;
  if (kind_of_both == Operator::kNext) return next(junction(op, pool_.left(a), pool_.left(b)));
  if (kind_of_both != Operator::kUntil && kind_of_both != Operator::kRelease) return neutral;
  // In `and`, U distributes over its left operand and R over its right one; in `or` it is the other way.
  const Formula a1 = pool_.left(a), a2 = pool_.right(a), b1 = pool_.left(b), b2 = pool_.right(b);
  const bool joins_left = (kind_of_both == Operator::kUntil) == is_and;
  if (joins_left && a2 == b2) return temporal(kind_of_both, junction(op, a1, b1), a2);
  if (!joins_left && a1 == b1) return temporal(kind_of_both, a1, junction(op, a2, b2));
  // F G a & F G b is F G (a & b), and G F a | G F b is G F (a | b).
  const Formula outer = is_and ? kTrue : kFalse, inner = is_and ? kFalse : kTrue;
  const Operator inside = is_and ? Operator::kRelease : Operator::kUntil;
  if (joins_left && a1 == outer && b1 == outer && pool_.op(a2) == inside && pool_.op(b2) == inside &&
      pool_.left(a2) == inner && pool_.left(b2) == inner)
    return temporal(kind_of_both, outer,
                    temporal(inside, inner, junction(op, pool_.right(a2), pool_.right(b2))));
  return neutral;
}

Formula NormalForm::next(Formula a) { return is_steady(a) ? a : pool_.unary(Operator::kNext, a); }

Formula NormalForm::until(Formula a, Formula b) { return temporal(Operator::kUntil, a, b); }

Formula NormalForm::release(Formula a, Formula b) { return temporal(Operator::kRelease, a, b); }

// Rules are written for `until`; those of `release` are their duals.
Formula NormalForm::temporal(Operator op, Formula a, Formula b) {
  const bool is_until = op == Operator::kUntil;
  const Formula weakest = is_until ? kTrue : kFalse, strongest = is_until ? kFalse : kTrue;
  const Operator both = is_until ? Operator::kAnd : Operator::kOr;
  const auto implied = [&](Formula x, Formula y) { return is_until ? implies(x, y) : implies(y, x); };
  // a U b is b if a implies b, or if b need not wait.
  if (b == kTrue || b == kFalse || a == strongest || implied(a, b)) return b;
  if (is_until ? is_eventual(b) : is_universal(b)) return b;
  // a U b is F b if whatever is not b is a.
  if (a != weakest && implied(of_negation(b), a)) return temporal(op, weakest, b);
  // a U (c U d) is c U d if a implies c; F (c U d) is F d.
  if (pool_.op(b) == op) {
    if (implied(a, pool_.left(b))) return b;
    if (a == weakest) return temporal(op, weakest, pool_.right(b));
  }
  // X a U X b is X (a U b).
  if (pool_.op(b) == Operator::kNext) {
    if (a == weakest) return next(temporal(op, weakest, pool_.left(b)));
    if (pool_.op(a) == Operator::kNext) return next(temporal(op, pool_.left(a), pool_.left(b)));
  }
  // a U (b & e) is (a U b) & e if e says the same at each step.
  if (pool_.op(b) == both) {
    Formula steady = weakest, others = weakest;
    for (const Formula part : operands(pool_, b, both)) {
      Formula& side = is_steady(part) ? steady : others;
      side = junction(both, side, part);
    }
    if (steady != weakest) return junction(both, temporal(op, a, others), steady);
  }
  return pool_.binary(op, a, b);
}

}  // namespace ravel::ltl
