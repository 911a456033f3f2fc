// Statements, and functions, which consist of them, as they are written.

#pragma once

#include "p/syntax/expression_syntax.h"

namespace ravel::p {

struct FunctionSyntax;
struct StatementSyntax;

enum class StatementForm : std::uint8_t {
  kNothing,
  kBlock,   // statements
  kAssert,  // expressions[0], and [1] is the message
  kAssume,  // as kAssert
  kPrint,   // expressions[0]
  kReturn,  // expressions[0], if any
  kBreak,
  kContinue,
  kAssign,    // expressions[0] = expressions[1]
  kInsert,    // expressions[0] += (expressions[1], expressions[2])
  kAdd,       // expressions[0] += (expressions[1])
  kRemove,    // expressions[0] -= expressions[1]
  kWhile,     // expressions[0], statements[0]
  kForeach,   // name in expressions[0], statements[0]
  kIf,        // expressions[0], statements[0], and [1] is what follows `else`
  kNew,       // name ( expressions )
  kCall,      // name ( expressions )
  kRaise,     // the event expressions[0], the rest is its payload
  kSend,      // to expressions[0], the event [1], the rest is its payload
  kAnnounce,  // as kRaise
  kGoto,      // name, expressions are the payload
  kReceive,   // cases
};

struct ReceiveCaseSyntax {
  std::span<const Name> events = {};
  const FunctionSyntax* handler = nullptr;
};

struct StatementSyntax {
  StatementForm form = StatementForm::kNothing;
  Place place = {};
  Name name = {};
  std::span<const ExpressionSyntax* const> expressions = {};
  std::span<const StatementSyntax* const> statements = {};
  std::span<const ReceiveCaseSyntax> cases = {};
};

struct VariableSyntax {
  Name name = {};
  const TypeSyntax* type = nullptr;
};

// A function with a name, or what handles an event, which has none.
struct FunctionSyntax {
  Name name = {};
  Place place = {};
  std::span<const VariableSyntax> parameters = {};
  const TypeSyntax* result = nullptr;  // none: it returns nothing
  bool is_foreign = false;             // written in another language: no body
  std::span<const Name> creates = {};  // of a foreign one
  std::span<const VariableSyntax> locals = {};
  const StatementSyntax* body = nullptr;
  Place end = {};  // the brace that closes it
};

}  // namespace ravel::p
