#include "ltl/print.h"

#include "ltl/operator_table.h"
#include "ltl/parse.h"

namespace ravel::ltl {
namespace {

// Whether the text alone is read as the proposition of that text.
bool reads_back(std::string_view text) {
  FormulaPool pool;
  const auto formula = parse(text, pool);
  return formula && pool.op(*formula) == Operator::kAtom && pool.text(*formula) == text;
}

void print_atom(std::string_view text, std::string& out) {
  if (reads_back(text)) {
    out += text;
    return;
  }
  out += '\'';
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  out += '\'';
}

// Whether `inner` needs parentheses as an operand of `outer`. Those of temporal operators are not left out
// where they could be: few know how tightly these bind.
bool needs_parentheses(Operator inner, Operator outer, Grouping side) {
  if (!is_binary(inner)) return false;
  const OperatorRow& inside = row_of(inner);
  const OperatorRow& outside = row_of(outer);
  if (inside.level == kTemporalLevel || inside.level < outside.level) return true;
  return inside.level == outside.level && (inner != outer || outside.grouping != side);
}

void print(const FormulaPool& pool, Formula formula, std::string& out) {
  const Operator op = pool.op(formula);
  const auto print_operand = [&](Formula operand, Grouping side) {
    const bool in_parentheses = needs_parentheses(pool.op(operand), op, side);
    if (in_parentheses) out += '(';
    print(pool, operand, out);
    if (in_parentheses) out += ')';
  };
  if (op == Operator::kTrue || op == Operator::kFalse) {
    out += op == Operator::kTrue ? "true" : "false";
  } else if (op == Operator::kAtom) {
    print_atom(pool.text(formula), out);
  } else if (is_unary(op)) {
    out += row_of(op).spellings[0];
    if (op != Operator::kNot) out += ' ';
    print_operand(pool.left(formula), Grouping::kRight);
  } else {
    print_operand(pool.left(formula), Grouping::kLeft);
    out += ' ';
    out += row_of(op).spellings[0];
    out += ' ';
    print_operand(pool.right(formula), Grouping::kRight);
  }
}

}  // namespace

std::string to_string(const FormulaPool& pool, Formula formula) {
  std::string text;
  print(pool, formula, text);
  return text;
}

}  // namespace ravel::ltl
