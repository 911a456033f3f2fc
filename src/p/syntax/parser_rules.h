// The parser's inside: the tokens that are left, and a function for each thing that can be read. What they
// read is in declaration_rules.cc, statement_rules.cc, expression_rules.cc, type_rules.cc and
// module_rules.cc.
//
// A rule that fails reports what it expected and sets `has_failed_`; from then on every token seems to be the
// end of the file, and all rules end without a further message. skip_to() ends that state.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "p/source/arena.h"
#include "p/source/diagnostics.h"
#include "p/source/nesting.h"
#include "p/syntax/declaration_syntax.h"
#include "p/syntax/token.h"

namespace ravel::p {

class Parser {
 public:
  Parser(std::vector<Token> tokens, Arena& arena, Diagnostics& diagnostics)
      : tokens_(std::move(tokens)),
        end_{TokenKind::kEnd, tokens_.back().place, {}},
        arena_(arena),
        diagnostics_(diagnostics) {}

  FileSyntax file();

 private:
  // Counts how deep rules are inside each other, and fails where that is too deep.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kNestingMax) parser_.fail_nesting();
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;

   private:
    Parser& parser_;
  };

  // -- Tokens (parser.cc)
  const Token& peek(std::size_t ahead = 0) const;
  bool at(TokenKind kind, std::size_t ahead = 0) const { return peek(ahead).kind == kind; }
  // Whether a name stands here that means something at this place.
  bool at_word(std::string_view word, std::size_t ahead = 0) const {
    return at(TokenKind::kName, ahead) && peek(ahead).text == word;
  }
  Token take();
  bool accept(TokenKind kind);
  Token expect(TokenKind kind);
  Name expect_name(std::string_view what);
  void fail(Place place, std::string sentence);
  void fail_expected(std::string_view what);
  void fail_nesting();
  bool is_misused(TokenKind word) const {
    return std::find(misused_.begin(), misused_.end(), word) != misused_.end();
  }
  // After a failure: skips to a token of the given braces for which `is_start` holds, or to the brace that
  // closes them.
  template <typename Predicate>
  void skip_to(std::size_t braces, Predicate is_start);
  void skip_statement(std::size_t braces);
  // Up to and with the semicolon, which no bracket is around.
  void skip_verifier_clause();

  // -- Declarations
  void declaration(FileSyntax& file);
  bool starts_declaration() const;
  bool verifier_declaration(FileSyntax& file);
  void skip_braces();
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

  std::vector<Token> tokens_;
  Token end_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  std::size_t next_ = 0;
  std::size_t braces_ = 0;  // that are open
  unsigned depth_ = 0;
  bool has_failed_ = false;
  std::vector<TokenKind> misused_;  // words that stand where names are expected
};

template <typename Predicate>
void Parser::skip_to(std::size_t braces, Predicate is_start) {
  has_failed_ = false;
  while (!at(TokenKind::kEnd)) {
    if (braces_ <= braces && (at(TokenKind::kCloseBrace) || is_start())) return;
    take();
  }
}

}  // namespace ravel::p
