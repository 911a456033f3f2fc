// Expressions as they are written. Parentheses leave no node.

#pragma once

#include <span>

#include "p/source/operator.h"
#include "p/syntax/type_syntax.h"

namespace ravel::p {

enum class ExpressionForm : std::uint8_t {
  kName,     // name: a variable, an element of an enum, an event
  kInteger,  // text: digits
  kFloat,    // text: digits and a point
  kTrue,
  kFalse,
  kNull,
  kHalt,
  kThis,
  kText,        // text: with its quotes. parts: what `format` puts into it
  kTuple,       // parts
  kNamedTuple,  // parts, names
  kField,       // parts[0] . name
  kElement,     // parts[0] . text (digits)
  kIndex,       // parts[0] [ parts[1] ]
  kKeys,        // parts[0]
  kValues,      // parts[0]
  kSizeof,      // parts[0]
  kDefault,     // type
  kNew,         // name ( parts )
  kCall,        // name ( parts )
  kNegate,      // parts[0]
  kNot,         // parts[0]
  kBinary,      // parts[0] op parts[1]
  kAs,          // parts[0], type
  kTo,          // parts[0], type
  kChoose,      // parts[0], or nothing: of two. `$` is that
  kFairChoose,  // `$$`
  kVerifier,    // what only P's verifier knows; name: its word
};

struct ExpressionSyntax {
  ExpressionForm form = ExpressionForm::kNull;
  BinaryOperator op = BinaryOperator::kPlus;
  std::uint16_t depth = 1;  // of the tree
  Place place = {};         // where it begins
  Place mark = {};          // of the operator, or of what follows the point
  Name name = {};
  std::string_view text = {};
  const TypeSyntax* type = nullptr;
  std::span<const ExpressionSyntax* const> parts = {};
  std::span<const Name> names = {};
};

}  // namespace ravel::p
