// The parser's inside: a function for each thing that can be read. What they read is in declaration_rules.cc,
// statement_rules.cc, expression_rules.cc, type_rules.cc and module_rules.cc.
//
// A rule that fails reports what it expected; from then on all rules end without a further message, until one
// skips to where it can go on (token_reader.h).

#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "p/source/arena.h"
#include "p/source/diagnostics.h"
#include "p/syntax/declaration_syntax.h"
#include "p/syntax/token.h"
#include "p/syntax/token_reader.h"

namespace ravel::p {

class Parser : private TokenReader {
 public:
  Parser(std::vector<Token> tokens, Arena& arena, Diagnostics& diagnostics)
      : TokenReader(std::move(tokens), diagnostics), arena_(arena) {}

  FileSyntax file();

 private:
  // -- Declarations
  void declaration(FileSyntax& file);
  bool starts_declaration() const;
  bool verifier_declaration(FileSyntax& file);
  TypedefSyntax type_definition();
  EnumSyntax enum_declaration();
  EventSyntax event_declaration();
  void skip_queue_bounds();
  InterfaceSyntax interface_declaration();
  MachineSyntax machine(MachineKind kind);
  void machine_body(MachineSyntax& machine);
  StateSyntax state();
  void state_item(std::vector<StateItemSyntax>& items);
  void handler_or_name(StateItemSyntax& item, std::string_view what);
  const FunctionSyntax* function();
  void variables(std::vector<VariableSyntax>& into);
  std::vector<VariableSyntax> parameters();
  std::vector<Name> names(std::string_view what);
  std::vector<Name> events(bool may_be_null);

  // -- Statements
  const FunctionSyntax* handler(bool may_have_parameter);
  void function_body(FunctionSyntax& function);
  const StatementSyntax* statement();
  const StatementSyntax* block(Place place);
  std::span<const StatementSyntax* const> statements();
  StatementSyntax statement_of_name();
  StatementSyntax insertion(StatementSyntax statement, const ExpressionSyntax* target);
  StatementSyntax receive_statement(StatementSyntax statement);
  StatementSyntax foreach_statement(StatementSyntax statement);
  const ExpressionSyntax* location();
  // `= expression` and so on behind a comma, if there is one.
  void payload(std::vector<const ExpressionSyntax*>& into);
  const ExpressionSyntax* in_parentheses();

  // -- Expressions
  const ExpressionSyntax* expression(int level_min = 0);
  const ExpressionSyntax* prefix_expression();
  const ExpressionSyntax* postfix_expression();
  const ExpressionSyntax* member(const ExpressionSyntax* whole);
  const ExpressionSyntax* primary();
  const ExpressionSyntax* number();
  const ExpressionSyntax* tuple();
  const ExpressionSyntax* named_tuple(Place place);
  const ExpressionSyntax* formatted_text();
  const ExpressionSyntax* verifier_prefix();
  bool at_verifier_infix() const;
  bool at_quantifier() const;
  bool starts_operand(std::size_t ahead) const;
  const ExpressionSyntax* quantifier();
  std::vector<const ExpressionSyntax*> arguments();
  const ExpressionSyntax* node(ExpressionSyntax expression,
                               const std::vector<const ExpressionSyntax*>& parts = {});

  // -- Types
  const TypeSyntax* type();
  const TypeSyntax* tuple_type(Place place);

  // -- Modules and tests
  const ModuleSyntax* module_expression();
  const ModuleSyntax* bindings();
  const ModuleSyntax* of_names(ModuleSyntax module);
  const ModuleSyntax* module_list(ModuleSyntax module);
  TestSyntax test(bool is_implementation);
  void test_parameters(TestSyntax& test);
  LiteralSyntax literal();

  Arena& arena_;
};

}  // namespace ravel::p
