// Bodies of functions: names become numbers, every expression gets its type, and what does not fit is
// reported.
//
// What is wrong has the type of errors, which fits everywhere, so that nothing is reported that only follows.
// statements.cc has the statements, expressions.cc the expressions, operators.cc operators and conversions,
// calls.cc what takes arguments, text.cc strings.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "p/checker/context.h"
#include "p/checker/type_resolver.h"

namespace ravel::p {

class FunctionChecker {
 public:
  FunctionChecker(Context& context, FunctionId id);

  // Fills the body of the function.
  void check(const FunctionSyntax& syntax);

  // What a test assumes of its parameters. REQUIRES: the function is one of its own, without an owner.
  const Expression* assumption(const ExpressionSyntax& syntax) { return condition(syntax); }

 private:
  using Expressions = std::vector<const Expression*>;

  Function& function() { return context_.program.function(id_); }
  const Machine* owner() { return function().owner ? &context_.program.machine(*function().owner) : nullptr; }
  TypeTable& types() { return context_.types(); }
  Arena& arena() { return context_.program.arena; }

  // -- Variables (statements.cc)
  void declare_local(const Name& name, const Type* type);
  std::optional<std::uint32_t> local(std::string_view name) const;

  // -- Statements
  const Statement* statement(const StatementSyntax& syntax);
  const Statement* make(Statement statement, const Expressions& expressions = {},
                        const std::vector<const Statement*>& statements = {});
  const Statement* nothing(Place place) { return make({.kind = StatementKind::kBlock, .place = place}); }
  const Statement* block(const StatementSyntax& syntax);
  const Statement* assertion(const StatementSyntax& syntax);
  const Statement* assumption_statement(const StatementSyntax& syntax);
  const Statement* print(const StatementSyntax& syntax);
  const Statement* return_statement(const StatementSyntax& syntax);
  const Statement* leave_loop(const StatementSyntax& syntax);
  const Statement* assignment(const StatementSyntax& syntax);
  const Statement* insertion(const StatementSyntax& syntax);
  const Statement* addition(const StatementSyntax& syntax);
  const Statement* removal(const StatementSyntax& syntax);
  const Statement* while_loop(const StatementSyntax& syntax);
  const Statement* foreach_loop(const StatementSyntax& syntax);
  const Statement* branch(const StatementSyntax& syntax);
  const Statement* creation(const StatementSyntax& syntax);
  const Statement* call(const StatementSyntax& syntax);
  const Statement* raise_or_announce(const StatementSyntax& syntax);
  const Statement* send(const StatementSyntax& syntax);
  const Statement* goto_statement(const StatementSyntax& syntax);
  const Statement* receive(const StatementSyntax& syntax);
  void receive_case(const ReceiveCaseSyntax& syntax, std::vector<ReceiveCase>& cases);
  const Statement* body_of_loop(const StatementSyntax& syntax);

  // -- Expressions
  const Expression* expression(const ExpressionSyntax& syntax);
  // An expression that must be true or false.
  const Expression* condition(const ExpressionSyntax& syntax);
  // An expression that `expected` must take.
  const Expression* value(const ExpressionSyntax& syntax, const Type* expected);
  const Expression* location(const ExpressionSyntax& syntax);
  const Expression* make(Expression expression, const Expressions& parts = {});
  const Expression* wrong(Place place);
  // Whether it fits; if not, that is reported.
  bool fits(Place place, const Type* actual, const Type* expected);
  const Expression* name(const ExpressionSyntax& syntax);
  const Expression* variable(const Name& name);
  // Reports that a name is not declared, once for a function.
  const Expression* undeclared(const Name& name, std::string_view why);
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
  Expressions expressions(std::span<const ExpressionSyntax* const> syntax);
  const Expression* call_expression(const ExpressionSyntax& syntax);
  const Expression* new_expression(const ExpressionSyntax& syntax);
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
  bool may_leave(Place place, std::string_view word);

  // -- Strings (text.cc)
  const Expression* text(const ExpressionSyntax& syntax);
  // Between the quotes.
  std::optional<std::string> unescaped(std::string_view raw, Place place);
  bool split(std::string_view raw, Place place, std::vector<FormatPiece>& pieces, std::uint32_t& arguments);

  struct Local {
    std::string_view name;
    std::uint32_t slot;
  };

  Context& context_;
  FunctionId id_;
  TypeResolver types_;
  std::vector<Local> locals_;    // in scope; the innermost last
  std::size_t scope_begin_ = 0;  // of the innermost scope, in locals_
  unsigned loops_ = 0;           // around here, in this case of `receive`
  unsigned outer_loops_ = 0;     // around the `receive`
  unsigned cases_ = 0;           // of `receive`, around here
  std::unordered_set<std::string_view> undeclared_;
};

// Whether every way through it ends in `return`, `goto`, `raise` or a failed assertion.
bool always_leaves(const Statement& statement);

}  // namespace ravel::p
