// Bodies of functions: their statements, with the expressions in them.
//
// statements.cc has the statements, call_statements.cc those that pass a payload on.

#pragma once

#include <string_view>
#include <vector>

#include "p/checker/context.h"
#include "p/checker/expression_checker.h"

namespace ravel::p {

class FunctionChecker final : private ExpressionChecker {
 public:
  using ExpressionChecker::ExpressionChecker;

  // Fills the body of the function.
  void check(const FunctionSyntax& syntax);

 private:
  using ExpressionChecker::make;

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
  bool may_leave(Place place, std::string_view word);

  unsigned loops_ = 0;        // around here, in this case of `receive`
  unsigned outer_loops_ = 0;  // around the `receive`
  unsigned cases_ = 0;        // of `receive`, around here
};

// Whether every way through it ends in `return`, `goto`, `raise` or a failed assertion.
bool always_leaves(const Statement& statement);

}  // namespace ravel::p
