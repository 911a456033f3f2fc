#include "ltl/formula.h"

#include "base/check.h"
#include "base/hash.h"

namespace ravel::ltl {

std::size_t FormulaPool::NodeHash::operator()(const Node& node) const {
  return combine(static_cast<std::uint64_t>(node.op), std::uint64_t{node.left} << 32 | node.right);
}

FormulaPool::FormulaPool() {
  CHECK(intern({.op = Operator::kFalse, .left = 0, .right = 0}) == kFalse);
  CHECK(intern({.op = Operator::kTrue, .left = 0, .right = 0}) == kTrue);
}

Formula FormulaPool::intern(const Node& node) {
  const auto [place, is_new] = known_.try_emplace(node, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return Formula{place->second};
}

Formula FormulaPool::atom(std::string_view text) {
  const auto [place, is_new] =
      text_numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(place->first);
  return intern({.op = Operator::kAtom, .left = place->second, .right = 0});
}

Formula FormulaPool::unary(Operator op, Formula operand) {
  CHECK(is_unary(op) && index(operand) < nodes_.size());
  return intern({.op = op, .left = index(operand), .right = 0});
}

Formula FormulaPool::binary(Operator op, Formula left, Formula right) {
  CHECK(is_binary(op) && index(left) < nodes_.size() && index(right) < nodes_.size());
  return intern({.op = op, .left = index(left), .right = index(right)});
}

namespace {

// Visits each distinct subformula once, operators before their operands, left before right.
template <class Visit>
void for_each_subformula(const FormulaPool& pool, Formula formula, Visit visit) {
  std::vector<bool> seen(pool.size());
  std::vector<Formula> todo = {formula};
  while (!todo.empty()) {
    const Formula one = todo.back();
    todo.pop_back();
    if (seen[static_cast<std::uint32_t>(one)]) continue;
    seen[static_cast<std::uint32_t>(one)] = true;
    visit(one);
    if (is_binary(pool.op(one))) todo.push_back(pool.right(one));
    if (is_binary(pool.op(one)) || is_unary(pool.op(one))) todo.push_back(pool.left(one));
  }
}

}  // namespace

std::vector<Formula> FormulaPool::atoms(Formula formula) const {
  std::vector<Formula> found;
  for_each_subformula(*this, formula, [&](Formula one) {
    if (op(one) == Operator::kAtom) found.push_back(one);
  });
  return found;
}

bool uses_next(const FormulaPool& pool, Formula formula) {
  bool found = false;
  for_each_subformula(pool, formula, [&](Formula one) { found |= pool.op(one) == Operator::kNext; });
  return found;
}

}  // namespace ravel::ltl
