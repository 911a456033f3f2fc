#include <algorithm>

#include "p/syntax/parser_rules.h"

namespace ravel::p {

const TypeSyntax* Parser::type() {
  const Level level(*this);
  const Token first = peek();
  TypeSyntax result{.place = first.place};
  const auto parametrised = [&](TypeForm form, std::size_t count) {
    take();
    result.form = form;
    std::vector<const TypeSyntax*> parts;
    expect(TokenKind::kOpenBracket);
    parts.push_back(type());
    if (count == 2) {
      expect(TokenKind::kComma);
      parts.push_back(type());
    }
    expect(TokenKind::kCloseBracket);
    result.parts = arena_.copy(parts);
  };
  const auto simple = [&](TypeForm form) {
    take();
    result.form = form;
  };
  switch (first.kind) {
    case TokenKind::kBool: simple(TypeForm::kBool); break;
    case TokenKind::kInt: simple(TypeForm::kInt); break;
    case TokenKind::kFloat: simple(TypeForm::kFloat); break;
    case TokenKind::kString: simple(TypeForm::kString); break;
    case TokenKind::kEvent: simple(TypeForm::kEvent); break;
    case TokenKind::kMachine: simple(TypeForm::kMachine); break;
    case TokenKind::kData: simple(TypeForm::kData); break;
    case TokenKind::kAny: simple(TypeForm::kAny); break;
    case TokenKind::kSeq: parametrised(TypeForm::kSeq, 1); break;
    case TokenKind::kSet: parametrised(TypeForm::kSet, 1); break;
    case TokenKind::kMap: parametrised(TypeForm::kMap, 2); break;
    case TokenKind::kOpenParenthesis: return tuple_type(take().place);
    case TokenKind::kName: result.name = expect_name("a type"); break;
    default: fail_expected("a type");
  }
  return arena_.make(result);
}

const TypeSyntax* Parser::tuple_type(Place place) {
  TypeSyntax result{.form = TypeForm::kTuple, .place = place};
  std::vector<const TypeSyntax*> parts;
  std::vector<Name> fields;
  if (at(TokenKind::kName) && at(TokenKind::kColon, 1)) {
    result.form = TypeForm::kNamedTuple;
    do {
      fields.push_back(expect_name("a name of a field"));
      expect(TokenKind::kColon);
      parts.push_back(type());
    } while (accept(TokenKind::kComma));
  } else {
    do {
      parts.push_back(type());
    } while (accept(TokenKind::kComma));
  }
  expect(TokenKind::kCloseParenthesis);
  result.parts = arena_.copy(parts);
  result.fields = arena_.copy(fields);
  return arena_.make(result);
}

}  // namespace ravel::p
