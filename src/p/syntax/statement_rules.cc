#include "p/syntax/parser_rules.h"

namespace ravel::p {

// What handles an event: `(payload: T) { ... }` or `{ ... }`
const FunctionSyntax* Parser::handler(bool may_have_parameter) {
  FunctionSyntax result{.place = peek().place};
  std::vector<VariableSyntax> parameters;
  if (may_have_parameter && accept(TokenKind::kOpenParenthesis)) {
    const Name name = expect_name("a name of a parameter");
    expect(TokenKind::kColon);
    parameters.push_back({name, type()});
    expect(TokenKind::kCloseParenthesis);
  }
  result.parameters = arena_.copy(parameters);
  function_body(result);
  return arena_.make(result);
}

void Parser::function_body(FunctionSyntax& function) {
  const Place place = expect(TokenKind::kOpenBrace).place;
  std::vector<VariableSyntax> locals;
  while (at(TokenKind::kVar)) variables(locals);
  function.locals = arena_.copy(locals);
  StatementSyntax body{.form = StatementForm::kBlock, .place = place};
  body.statements = statements();
  function.end = expect(TokenKind::kCloseBrace).place;
  function.body = arena_.make(body);
}

const StatementSyntax* Parser::block(Place place) {
  StatementSyntax result{.form = StatementForm::kBlock, .place = place};
  result.statements = statements();
  expect(TokenKind::kCloseBrace);
  return arena_.make(result);
}

// Up to the brace that closes them.
std::span<const StatementSyntax* const> Parser::statements() {
  std::vector<const StatementSyntax*> result;
  const std::size_t braces = open_braces();
  while (!at(TokenKind::kEnd) && !at(TokenKind::kCloseBrace)) {
    if (at(TokenKind::kVar))
      fail(peek().place, "variables are declared where the body of a function begins, before its statements");
    else
      result.push_back(statement());
    if (has_failed()) skip_statement(braces);
  }
  return arena_.copy(result);
}

const StatementSyntax* Parser::statement() {
  const Level level(*this);
  const Token first = peek();
  StatementSyntax result{.place = first.place};
  std::vector<const ExpressionSyntax*> expressions;
  std::vector<const StatementSyntax*> parts;
  bool ends_with_semicolon = true;
  const auto take_form = [&](StatementForm form) {
    take();
    result.form = form;
  };
  switch (first.kind) {
    case TokenKind::kOpenBrace: return block(take().place);
    case TokenKind::kSemicolon: break;
    case TokenKind::kAssert:
      take_form(StatementForm::kAssert);
      expressions.push_back(expression());
      if (accept(TokenKind::kComma)) expressions.push_back(expression());
      break;
    case TokenKind::kPrint:
      take_form(StatementForm::kPrint);
      expressions.push_back(expression());
      break;
    case TokenKind::kReturn:
      take_form(StatementForm::kReturn);
      if (!at(TokenKind::kSemicolon)) expressions.push_back(expression());
      break;
    case TokenKind::kBreak: take_form(StatementForm::kBreak); break;
    case TokenKind::kContinue: take_form(StatementForm::kContinue); break;
    case TokenKind::kWhile:
      take_form(StatementForm::kWhile);
      expressions.push_back(in_parentheses());
      parts.push_back(statement());
      ends_with_semicolon = false;
      break;
    case TokenKind::kIf:
      take_form(StatementForm::kIf);
      expressions.push_back(in_parentheses());
      parts.push_back(statement());
      if (accept(TokenKind::kElse)) parts.push_back(statement());
      ends_with_semicolon = false;
      break;
    case TokenKind::kForeach: return arena_.make(foreach_statement(result));
    case TokenKind::kNew:
      take_form(StatementForm::kNew);
      result.name = expect_name("a name of an interface or machine");
      expressions = arguments();
      break;
    case TokenKind::kRaise:
    case TokenKind::kAnnounce:
      take_form(first.kind == TokenKind::kRaise ? StatementForm::kRaise : StatementForm::kAnnounce);
      expressions.push_back(expression());
      payload(expressions);
      break;
    case TokenKind::kSend:
      take_form(StatementForm::kSend);
      expressions.push_back(expression());
      expect(TokenKind::kComma);
      expressions.push_back(expression());
      payload(expressions);
      break;
    case TokenKind::kGoto:
      take_form(StatementForm::kGoto);
      result.name = expect_name("a name of a state");
      payload(expressions);
      break;
    case TokenKind::kReceive: return arena_.make(receive_statement(result));
    case TokenKind::kName: return arena_.make(statement_of_name());
    default: fail_expected("a statement");
  }
  if (ends_with_semicolon) expect(TokenKind::kSemicolon);
  result.expressions = arena_.copy(expressions);
  result.statements = arena_.copy(parts);
  return arena_.make(result);
}

void Parser::payload(std::vector<const ExpressionSyntax*>& into) {
  while (accept(TokenKind::kComma)) into.push_back(expression());
}

const ExpressionSyntax* Parser::in_parentheses() {
  expect(TokenKind::kOpenParenthesis);
  const ExpressionSyntax* result = expression();
  expect(TokenKind::kCloseParenthesis);
  return result;
}

// A call, an assignment, or `assume`, which is no reserved word.
StatementSyntax Parser::statement_of_name() {
  StatementSyntax result{.place = peek().place};
  std::vector<const ExpressionSyntax*> expressions;
  const bool is_variable = at(TokenKind::kAssign, 1) || at(TokenKind::kInsert, 1) ||
                           at(TokenKind::kRemove, 1) || at(TokenKind::kDot, 1) ||
                           at(TokenKind::kOpenBracket, 1);
  if (at_word("assume") && !is_variable) {
    take();
    result.form = StatementForm::kAssume;
    expressions.push_back(expression());
    if (accept(TokenKind::kComma)) expressions.push_back(expression());
  } else if (at_word("pop") && at(TokenKind::kSemicolon, 1)) {
    fail(result.place, "`pop` is no longer part of P: states are not stacked; write `goto`");
  } else if (at(TokenKind::kOpenParenthesis, 1)) {
    result.form = StatementForm::kCall;
    result.name = expect_name("a name of a function");
    expressions = arguments();
  } else {
    const ExpressionSyntax* target = location();
    if (accept(TokenKind::kInsert)) return insertion(result, target);
    expressions.push_back(target);
    if (accept(TokenKind::kAssign)) {
      result.form = StatementForm::kAssign;
    } else if (accept(TokenKind::kRemove)) {
      result.form = StatementForm::kRemove;
    } else {
      fail_expected("`=`, `+=`, `-=` or `(`");
    }
    expressions.push_back(expression());
  }
  expect(TokenKind::kSemicolon);
  result.expressions = arena_.copy(expressions);
  return result;
}

StatementSyntax Parser::insertion(StatementSyntax statement, const ExpressionSyntax* target) {
  std::vector<const ExpressionSyntax*> expressions = {target};
  if (!at(TokenKind::kOpenParenthesis))
    fail_expected("`(element)`, `(index, element)` or `(key, value)` after `+=`");
  take();
  expressions.push_back(expression());
  if (accept(TokenKind::kComma)) expressions.push_back(expression());
  expect(TokenKind::kCloseParenthesis);
  expect(TokenKind::kSemicolon);
  statement.form = expressions.size() == 3 ? StatementForm::kInsert : StatementForm::kAdd;
  statement.expressions = arena_.copy(expressions);
  return statement;
}

// What can be assigned to: a variable and what is inside it.
const ExpressionSyntax* Parser::location() {
  const Name name = expect_name("a name of a variable");
  const ExpressionSyntax* whole =
      node({.form = ExpressionForm::kName, .place = name.place, .mark = name.place, .name = name});
  while (true) {
    if (at(TokenKind::kDot)) {
      whole = member(whole);
    } else if (at(TokenKind::kOpenBracket)) {
      const Place mark = take().place;
      const ExpressionSyntax* index = expression();
      expect(TokenKind::kCloseBracket);
      whole = node({.form = ExpressionForm::kIndex, .place = whole->place, .mark = mark}, {whole, index});
    } else {
      return whole;
    }
  }
}

StatementSyntax Parser::foreach_statement(StatementSyntax statement) {
  take();
  statement.form = StatementForm::kForeach;
  expect(TokenKind::kOpenParenthesis);
  statement.name = expect_name("a name of a variable");
  expect(TokenKind::kIn);
  const std::vector<const ExpressionSyntax*> expressions = {expression()};
  expect(TokenKind::kCloseParenthesis);
  while (at_word("invariant") && !at(TokenKind::kAssign, 1)) skip_verifier_clause();
  const std::vector<const StatementSyntax*> parts = {this->statement()};
  statement.expressions = arena_.copy(expressions);
  statement.statements = arena_.copy(parts);
  return statement;
}

StatementSyntax Parser::receive_statement(StatementSyntax statement) {
  take();
  statement.form = StatementForm::kReceive;
  std::vector<ReceiveCaseSyntax> cases;
  expect(TokenKind::kOpenBrace);
  do {
    expect(TokenKind::kCase);
    const std::vector<Name> names = events(true);
    expect(TokenKind::kColon);
    cases.push_back({arena_.copy(names), handler(true)});
  } while (at(TokenKind::kCase));
  expect(TokenKind::kCloseBrace);
  statement.cases = arena_.copy(cases);
  return statement;
}

}  // namespace ravel::p
