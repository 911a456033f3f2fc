#include "p/syntax/parser_rules.h"

namespace ravel::p {

const ModuleSyntax* Parser::module_expression() {
  const Level level(*this);
  ModuleSyntax result{.place = peek().place};
  const auto take_form = [&](ModuleForm form) {
    take();
    result.form = form;
  };
  if (accept(TokenKind::kOpenParenthesis)) {
    const ModuleSyntax* inner = module_expression();
    expect(TokenKind::kCloseParenthesis);
    return inner;
  }
  if (at(TokenKind::kOpenBrace)) return bindings();
  if (at(TokenKind::kCompose)) {
    take_form(ModuleForm::kCompose);
    return module_list(result);
  }
  if (at(TokenKind::kUnion)) {
    take_form(ModuleForm::kUnion);
    return module_list(result);
  }
  if (at(TokenKind::kAssert)) {
    take_form(ModuleForm::kAssert);
    result.names = arena_.copy(names("a name of a spec"));
    return of_names(result);
  }
  // The rest are words only where a name follows.
  const bool is_word = at(TokenKind::kName) && (at(TokenKind::kName, 1) || at(TokenKind::kHalt, 1));
  if (is_word && at_word("hidee")) {
    take_form(ModuleForm::kHideEvents);
    result.names = arena_.copy(events(false));
    return of_names(result);
  }
  if (is_word && at_word("hidei")) {
    take_form(ModuleForm::kHideInterfaces);
    result.names = arena_.copy(names("a name of an interface"));
    return of_names(result);
  }
  if (is_word && at_word("rename")) {
    take_form(ModuleForm::kRename);
    std::vector<Name> both = {expect_name("a name of an interface")};
    expect(TokenKind::kTo);
    both.push_back(expect_name("a name of an interface"));
    result.names = arena_.copy(both);
    return of_names(result);
  }
  if (is_word && at_word("main")) {
    take_form(ModuleForm::kMain);
    result.name = expect_name("a name of a machine");
    return of_names(result);
  }
  result.name = expect_name("a module");
  return arena_.make(result);
}

// What follows the names: `in MODULE`
const ModuleSyntax* Parser::of_names(ModuleSyntax module) {
  expect(TokenKind::kIn);
  module.parts = arena_.copy(std::vector<const ModuleSyntax*>{module_expression()});
  return arena_.make(module);
}

const ModuleSyntax* Parser::module_list(ModuleSyntax module) {
  std::vector<const ModuleSyntax*> parts = {module_expression()};
  if (!at(TokenKind::kComma)) fail_expected("`,` and another module");
  while (accept(TokenKind::kComma)) parts.push_back(module_expression());
  module.parts = arena_.copy(parts);
  return arena_.make(module);
}

// { Machine, Machine -> Interface, ... }
const ModuleSyntax* Parser::bindings() {
  ModuleSyntax result{.form = ModuleForm::kBind, .place = take().place};
  std::vector<BindingSyntax> bindings;
  do {
    BindingSyntax binding{.machine = expect_name("a name of a machine"), .interface = {}};
    binding.interface = accept(TokenKind::kArrow) ? expect_name("a name of an interface") : binding.machine;
    bindings.push_back(binding);
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kCloseBrace);
  result.bindings = arena_.copy(bindings);
  return arena_.make(result);
}

// test [param (...)] [assume expression] [pairwise | (N wise)] NAME [main = M]: MODULE [refines MODULE];
TestSyntax Parser::test(bool is_implementation) {
  TestSyntax result{.place = take().place};
  const auto is_modifier = [this] { return !at(TokenKind::kOpenBracket, 1) && !at(TokenKind::kColon, 1); };
  if (!is_implementation) {
    if (at_word("param") && is_modifier()) test_parameters(result);
    if (at_word("assume") && is_modifier()) {
      take();
      result.assumption = expression();
    }
    result.wise_place = peek().place;
    if (at_word("pairwise") && is_modifier()) {
      take();
      result.is_pairwise = true;
    } else if (accept(TokenKind::kOpenParenthesis)) {
      const Token digits = expect(TokenKind::kInteger);
      result.wise = Name{digits.text, digits.place};
      if (at_word("wise"))
        take();
      else
        fail_expected("`wise`");
      expect(TokenKind::kCloseParenthesis);
    }
  }
  result.name = expect_name(is_implementation ? "a name of an implementation" : "a name of a test");
  if (!is_implementation || at(TokenKind::kOpenBracket)) {
    expect(TokenKind::kOpenBracket);
    if (at_word("main"))
      take();
    else
      fail_expected("`main`");
    expect(TokenKind::kAssign);
    result.main = expect_name("a name of a machine");
    expect(TokenKind::kCloseBracket);
  }
  expect(TokenKind::kColon);
  result.module = module_expression();
  if (!is_implementation && at_word("refines")) {
    take();
    result.refines = module_expression();
  }
  expect(TokenKind::kSemicolon);
  return result;
}

void Parser::test_parameters(TestSyntax& test) {
  take();
  std::vector<ParameterValuesSyntax> parameters;
  expect(TokenKind::kOpenParenthesis);
  do {
    const Name name = expect_name("a name of a parameter");
    expect(TokenKind::kIn);
    expect(TokenKind::kOpenBracket);
    std::vector<LiteralSyntax> values;
    do {
      values.push_back(literal());
    } while (accept(TokenKind::kComma));
    expect(TokenKind::kCloseBracket);
    parameters.push_back({name, arena_.copy(values)});
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kCloseParenthesis);
  test.parameters = arena_.copy(parameters);
}

LiteralSyntax Parser::literal() {
  LiteralSyntax result{.is_negative = at(TokenKind::kMinus), .place = peek().place};
  if (result.is_negative) take();
  if (at(TokenKind::kInteger) || (!result.is_negative && (at(TokenKind::kTrue) || at(TokenKind::kFalse)))) {
    result.kind = peek().kind;
    result.text = take().text;
  } else {
    fail_expected(result.is_negative ? "a number" : "a number, `true` or `false`");
  }
  return result;
}

}  // namespace ravel::p
