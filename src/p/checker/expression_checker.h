// Expressions in bodies of functions: names become numbers, each expression gets its type, and what does not
// fit is reported.
//
// What is wrong has the type of errors, which fits everywhere, so that nothing is reported that only follows.
// expressions.cc has expressions without arguments, operators.cc operators and conversions, calls.cc what
// takes arguments, text.cc strings.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "p/checker/context.h"
#include "p/checker/local_variables.h"
#include "p/checker/type_resolver.h"

namespace ravel::p {

class ExpressionChecker {
 public:
  ExpressionChecker(Context& context, FunctionId id)
      : context_(context), id_(id), types_(context), locals_(context, id) {}

  // What a test assumes of its parameters. REQUIRES: the function is one of its own, without an owner.
  const Expression* assumption(const ExpressionSyntax& syntax) { return condition(syntax); }

 protected:
  using Expressions = std::vector<const Expression*>;

  Function& function() { return context_.program.function(id_); }
  const Machine* owner() { return function().owner ? &context_.program.machine(*function().owner) : nullptr; }
  TypeTable& types() { return context_.types(); }
  Arena& arena() { return context_.program.arena; }

  const Expression* expression(const ExpressionSyntax& syntax);
  // An expression that must be true or false.
  const Expression* condition(const ExpressionSyntax& syntax);
  // An expression that `expected` must take.
  const Expression* value(const ExpressionSyntax& syntax, const Type* expected);
  const Expression* location(const ExpressionSyntax& syntax);
  Expressions expressions(std::span<const ExpressionSyntax* const> syntax);
  const Expression* make(Expression expression, const Expressions& parts = {});
  const Expression* wrong(Place place);
  // Whether it fits; if not, that is reported.
  bool fits(Place place, const Type* actual, const Type* expected);
  const Expression* variable(const Name& name);
  // Reports that a name is not declared, once for a function.
  const Expression* undeclared(const Name& name, std::string_view why);
  // Nothing if it is wrong.
  std::optional<FunctionId> callee(const Name& name, std::span<const ExpressionSyntax* const> arguments,
                                   Expressions& checked);
  std::optional<InterfaceId> created(const Name& name, Place place,
                                     std::span<const ExpressionSyntax* const> arguments,
                                     Expressions& payload);
  const Expression* event_operand(const ExpressionSyntax& syntax, std::string_view verb);
  // One value for what may be several arguments; `expected` is nullptr if it is not known.
  Expressions payload(Place place, std::span<const ExpressionSyntax* const> syntax, const Type* expected,
                      const std::string& receiver);
  // The type of the payload if it is known which event this is.
  const Type* payload_of(const Expression& event) const;
  bool is_forbidden_in_spec(Place place, std::string_view what);

  Context& context_;
  const FunctionId id_;
  TypeResolver types_;
  LocalVariables locals_;

 private:
  const Expression* name(const ExpressionSyntax& syntax);
  const Expression* literal(const ExpressionSyntax& syntax);
  const Expression* this_reference(const ExpressionSyntax& syntax);
  const Expression* tuple(const ExpressionSyntax& syntax);
  const Expression* field(const ExpressionSyntax& syntax, const Expression* whole);
  const Expression* element(const ExpressionSyntax& syntax, const Expression* whole);
  const Expression* indexed(const ExpressionSyntax& syntax, const Expression* whole);
  const Expression* of_collection(const ExpressionSyntax& syntax);
  const Expression* choice(const ExpressionSyntax& syntax);
  const Expression* verifiers(const ExpressionSyntax& syntax);

  // -- Operators (operators.cc)
  const Expression* unary(const ExpressionSyntax& syntax);
  const Expression* binary(const ExpressionSyntax& syntax);
  const Expression* membership(const ExpressionSyntax& syntax, const Expression* item,
                               const Expression* whole);
  const Expression* cast(const ExpressionSyntax& syntax);
  const Expression* conversion(const ExpressionSyntax& syntax);

  // -- Calls (calls.cc)
  const Expression* call_expression(const ExpressionSyntax& syntax);
  const Expression* new_expression(const ExpressionSyntax& syntax);

  // -- Strings (text.cc)
  const Expression* text(const ExpressionSyntax& syntax);
  // Between the quotes.
  std::optional<std::string> unescaped(std::string_view raw, Place place);
  bool split(std::string_view raw, Place place, std::vector<FormatPiece>& pieces, std::uint32_t& arguments);

  std::unordered_set<std::string_view> undeclared_;
};

}  // namespace ravel::p
