#include <algorithm>
#include <array>
#include <optional>

#include "p/syntax/parser_rules.h"

namespace ravel::p {
namespace {

struct OperatorRow {
  TokenKind token;
  BinaryOperator op;
  int level;  // the higher, the tighter it binds
};

// `as` and `to` have a level of their own, between sums and comparisons. All group to the left.
constexpr int kCastLevel = 7;
constexpr auto kOperators = std::to_array<OperatorRow>({
    {TokenKind::kTimes, BinaryOperator::kTimes, 9},
    {TokenKind::kDivide, BinaryOperator::kDivide, 9},
    {TokenKind::kModulo, BinaryOperator::kModulo, 9},
    {TokenKind::kPlus, BinaryOperator::kPlus, 8},
    {TokenKind::kMinus, BinaryOperator::kMinus, 8},
    {TokenKind::kLess, BinaryOperator::kLess, 6},
    {TokenKind::kGreater, BinaryOperator::kGreater, 6},
    {TokenKind::kGreaterEqual, BinaryOperator::kGreaterEqual, 6},
    {TokenKind::kLessEqual, BinaryOperator::kLessEqual, 6},
    {TokenKind::kIn, BinaryOperator::kIn, 6},
    {TokenKind::kEqual, BinaryOperator::kEqual, 5},
    {TokenKind::kNotEqual, BinaryOperator::kNotEqual, 5},
    {TokenKind::kAnd, BinaryOperator::kAnd, 4},
    {TokenKind::kOr, BinaryOperator::kOr, 3},
    {TokenKind::kImplies, BinaryOperator::kImplies, 2},
    {TokenKind::kIff, BinaryOperator::kIff, 1},
});

const OperatorRow* find_operator(TokenKind token) {
  const auto* row = std::ranges::find(kOperators, token, &OperatorRow::token);
  return row == kOperators.end() ? nullptr : row;
}

}  // namespace

const ExpressionSyntax* Parser::node(ExpressionSyntax expression,
                                     const std::vector<const ExpressionSyntax*>& parts) {
  for (const ExpressionSyntax* part : parts)
    expression.depth = std::max<std::uint16_t>(expression.depth, part->depth + 1);
  if (expression.depth > kNestingMax) {
    fail(expression.place, "this expression is nested more than " + std::to_string(kNestingMax) + " deep");
    expression.depth = 1;
  }
  expression.parts = arena_.copy(parts);
  return arena_.make(expression);
}

const ExpressionSyntax* Parser::expression(int level_min) {
  const Level level(*this);
  const ExpressionSyntax* left = prefix_expression();
  while (true) {
    const Token mark = peek();
    if (mark.kind == TokenKind::kAs || mark.kind == TokenKind::kTo) {
      if (kCastLevel < level_min) break;
      take();
      left = node({.form = mark.kind == TokenKind::kAs ? ExpressionForm::kAs : ExpressionForm::kTo,
                   .place = left->place,
                   .mark = mark.place,
                   .type = type()},
                  {left});
      continue;
    }
    const OperatorRow* row = find_operator(mark.kind);
    if (row == nullptr || row->level < level_min) break;
    take();
    const ExpressionSyntax* right = expression(row->level + 1);
    left = node({.form = ExpressionForm::kBinary, .op = row->op, .place = left->place, .mark = mark.place},
                {left, right});
  }
  return left;
}

const ExpressionSyntax* Parser::prefix_expression() {
  const Token mark = peek();
  if (mark.kind != TokenKind::kMinus && mark.kind != TokenKind::kNot) return postfix_expression();
  const Level level(*this);
  take();
  return node({.form = mark.kind == TokenKind::kMinus ? ExpressionForm::kNegate : ExpressionForm::kNot,
               .place = mark.place,
               .mark = mark.place},
              {prefix_expression()});
}

const ExpressionSyntax* Parser::postfix_expression() {
  const ExpressionSyntax* whole = primary();
  while (true) {
    if (at(TokenKind::kDot)) {
      whole = member(whole);
    } else if (at(TokenKind::kOpenBracket)) {
      const Place mark = take().place;
      const ExpressionSyntax* index = expression();
      expect(TokenKind::kCloseBracket);
      whole = node({.form = ExpressionForm::kIndex, .place = whole->place, .mark = mark}, {whole, index});
    } else if (at_verifier_infix()) {
      const Token word = take();
      std::vector<const ExpressionSyntax*> parts = {whole};
      if (word.text == "targets")
        parts.push_back(prefix_expression());
      else
        take();
      whole = node({.form = ExpressionForm::kVerifier, .place = word.place, .name = {word.text, word.place}},
                   parts);
    } else {
      return whole;
    }
  }
}

// `.field` or `.0`
const ExpressionSyntax* Parser::member(const ExpressionSyntax* whole) {
  take();
  if (at(TokenKind::kInteger)) {
    const Token digits = take();
    return node(
        {.form = ExpressionForm::kElement, .place = whole->place, .mark = digits.place, .text = digits.text},
        {whole});
  }
  const Name field = expect_name("a name or a number of a field");
  return node({.form = ExpressionForm::kField, .place = whole->place, .mark = field.place, .name = field},
              {whole});
}

const ExpressionSyntax* Parser::primary() {
  const Token first = peek();
  ExpressionSyntax result{.place = first.place, .mark = first.place};
  const auto simple = [&](ExpressionForm form) {
    take();
    result.form = form;
    return node(result);
  };
  const auto of_one = [&](ExpressionForm form) {
    take();
    result.form = form;
    expect(TokenKind::kOpenParenthesis);
    const ExpressionSyntax* inner = expression();
    expect(TokenKind::kCloseParenthesis);
    return node(result, {inner});
  };
  switch (first.kind) {
    case TokenKind::kTrue: return simple(ExpressionForm::kTrue);
    case TokenKind::kFalse: return simple(ExpressionForm::kFalse);
    case TokenKind::kNull: return simple(ExpressionForm::kNull);
    case TokenKind::kHalt: return simple(ExpressionForm::kHalt);
    case TokenKind::kThis: return simple(ExpressionForm::kThis);
    case TokenKind::kDollar: return simple(ExpressionForm::kChoose);
    case TokenKind::kDoubleDollar: return simple(ExpressionForm::kFairChoose);
    case TokenKind::kInteger:
    case TokenKind::kDot: return number();
    case TokenKind::kText:
    case TokenKind::kFormat: return formatted_text();
    case TokenKind::kKeys: return of_one(ExpressionForm::kKeys);
    case TokenKind::kValues: return of_one(ExpressionForm::kValues);
    case TokenKind::kSizeof: return of_one(ExpressionForm::kSizeof);
    case TokenKind::kOpenParenthesis: return tuple();
    case TokenKind::kChoose: {
      if (!at(TokenKind::kOpenParenthesis, 1) || !at(TokenKind::kCloseParenthesis, 2))
        return of_one(ExpressionForm::kChoose);
      take(), take();
      return simple(ExpressionForm::kChoose);
    }
    case TokenKind::kDefault: {
      take();
      result.form = ExpressionForm::kDefault;
      expect(TokenKind::kOpenParenthesis);
      result.type = type();
      expect(TokenKind::kCloseParenthesis);
      return node(result);
    }
    case TokenKind::kNew: {
      take();
      result.form = ExpressionForm::kNew;
      result.name = expect_name("a name of an interface or machine");
      return node(result, arguments());
    }
    case TokenKind::kFloat:
      fail(first.place, "`float(base, exponent)` is no literal that P implements; write digits and a point");
      break;
    case TokenKind::kName: {
      if (const ExpressionSyntax* verifiers = verifier_prefix()) return verifiers;
      result.name = expect_name("a name");
      result.form = at(TokenKind::kOpenParenthesis) ? ExpressionForm::kCall : ExpressionForm::kName;
      return result.form == ExpressionForm::kCall ? node(result, arguments()) : node(result);
    }
    default: fail_expected("an expression");
  }
  return node(result);
}

// `5`, `1.5` or `.5`; blanks around the point do not matter.
const ExpressionSyntax* Parser::number() {
  const Token first = peek();
  const bool has_whole = at(TokenKind::kInteger);
  if (has_whole) take();
  if (!at(TokenKind::kDot) || !at(TokenKind::kInteger, 1)) {
    if (!has_whole) fail_expected("an expression");
    return node(
        {.form = ExpressionForm::kInteger, .place = first.place, .mark = first.place, .text = first.text});
  }
  take();
  const std::string text = std::string(has_whole ? first.text : "0") + "." + std::string(take().text);
  return node({.form = ExpressionForm::kFloat,
               .place = first.place,
               .mark = first.place,
               .text = arena_.copy(std::string_view(text))});
}

const ExpressionSyntax* Parser::tuple() {
  const Place place = take().place;
  if (at(TokenKind::kName) && at(TokenKind::kAssign, 1)) return named_tuple(place);
  const ExpressionSyntax* first = expression();
  if (accept(TokenKind::kCloseParenthesis)) return first;
  std::vector<const ExpressionSyntax*> parts = {first};
  expect(TokenKind::kComma);
  if (!at(TokenKind::kCloseParenthesis)) do {
      parts.push_back(expression());
    } while (accept(TokenKind::kComma));
  expect(TokenKind::kCloseParenthesis);
  return node({.form = ExpressionForm::kTuple, .place = place, .mark = place}, parts);
}

const ExpressionSyntax* Parser::named_tuple(Place place) {
  std::vector<Name> fields;
  std::vector<const ExpressionSyntax*> parts;
  bool ends_with_comma = false;
  do {
    fields.push_back(expect_name("a name of a field"));
    expect(TokenKind::kAssign);
    parts.push_back(expression());
    ends_with_comma = accept(TokenKind::kComma);
  } while (ends_with_comma && !(parts.size() == 1 && at(TokenKind::kCloseParenthesis)));
  if (parts.size() == 1 && !ends_with_comma && at(TokenKind::kCloseParenthesis))
    fail(place, "a tuple of one field ends with a comma: (" + std::string(fields[0].text) + " = ...,)");
  expect(TokenKind::kCloseParenthesis);
  return node(
      {.form = ExpressionForm::kNamedTuple, .place = place, .mark = place, .names = arena_.copy(fields)},
      parts);
}

const ExpressionSyntax* Parser::formatted_text() {
  const Place place = peek().place;
  if (!accept(TokenKind::kFormat)) {
    const Token text = take();
    return node({.form = ExpressionForm::kText, .place = place, .mark = place, .text = text.text});
  }
  expect(TokenKind::kOpenParenthesis);
  const Token text = expect(TokenKind::kText);
  std::vector<const ExpressionSyntax*> parts;
  while (accept(TokenKind::kComma)) parts.push_back(expression());
  expect(TokenKind::kCloseParenthesis);
  return node({.form = ExpressionForm::kText, .place = place, .mark = text.place, .text = text.text}, parts);
}

std::vector<const ExpressionSyntax*> Parser::arguments() {
  std::vector<const ExpressionSyntax*> result;
  expect(TokenKind::kOpenParenthesis);
  if (!at(TokenKind::kCloseParenthesis)) do {
      result.push_back(expression());
    } while (accept(TokenKind::kComma));
  expect(TokenKind::kCloseParenthesis);
  return result;
}

// Where a name follows a whole expression, it can only be one of these.
bool Parser::at_verifier_infix() const {
  return (at_word("is") && at(TokenKind::kName, 1)) || (at_word("targets") && starts_operand(1));
}

bool Parser::starts_operand(std::size_t ahead) const {
  return at(TokenKind::kName, ahead) || at(TokenKind::kThis, ahead) ||
         at(TokenKind::kOpenParenthesis, ahead) || at(TokenKind::kHalt, ahead);
}

bool Parser::at_quantifier() const {
  if (!at_word("forall") && !at_word("exists")) return false;
  const std::size_t open = at(TokenKind::kNew, 1) ? 2 : 1;
  return at(TokenKind::kOpenParenthesis, open) && at(TokenKind::kName, open + 1) &&
         at(TokenKind::kColon, open + 2);
}

const ExpressionSyntax* Parser::verifier_prefix() {
  if (at_quantifier()) return quantifier();
  const bool is_prefix = (at_word("inflight") || at_word("sent")) &&
                         (at(TokenKind::kName, 1) || at(TokenKind::kThis, 1)) && !at_word("is", 1) &&
                         !at_word("targets", 1);
  if (!is_prefix) return nullptr;
  const Level level(*this);
  const Token word = take();
  return node({.form = ExpressionForm::kVerifier, .place = word.place, .name = {word.text, word.place}},
              {prefix_expression()});
}

const ExpressionSyntax* Parser::quantifier() {
  const Token word = take();
  accept(TokenKind::kNew);
  expect(TokenKind::kOpenParenthesis);
  do {
    expect_name("a name of a variable");
    expect(TokenKind::kColon);
    type();
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kCloseParenthesis);
  expect(TokenKind::kColon);
  expect(TokenKind::kColon);
  return node({.form = ExpressionForm::kVerifier, .place = word.place, .name = {word.text, word.place}},
              {expression()});
}

}  // namespace ravel::p
