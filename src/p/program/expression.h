// Expressions of a checked program: names are numbers, constants are computed, every node has its type.
//
// Operands are evaluated from the left to the right, all of them, but those of `&&`, `||` and `==>`.
// Collections and tuples are values: what is assigned, passed or sent is a copy.

#pragma once

#include <span>
#include <string_view>

#include "p/program/type.h"
#include "p/source/operator.h"
#include "p/source/sources.h"

namespace ravel::p {

enum class ExpressionKind : std::uint8_t {
  // Constants
  kBool,   // integer: 0 or 1
  kInt,    // integer
  kFloat,  // real
  kText,   // text, with its escapes resolved
  kNull,
  kEvent,        // index: EventId
  kEnumElement,  // integer
  // Variables
  kLocal,      // index: slot of the function
  kField,      // index: of the machine's fields
  kParameter,  // index: ParameterId
  kThis,
  // Tuples and collections
  kTuple,       // parts; with names or without, as the type says
  kElement,     // parts[0], index: of the tuple's parts
  kSeqElement,  // parts[0] at parts[1]; none there: a bug of the program
  kSetElement,  // the same, in an order that P leaves open
  kMapValue,    // parts[0] at the key parts[1]; none there: a bug of the program
  kKeys,        // parts[0]
  kValues,      // parts[0]
  kSizeof,      // parts[0]
  kDefault,     // of the node's type
  // Operators
  kNegate,  // parts[0], int or float
  kNot,     // parts[0]
  kBinary,  // parts[0] op parts[1]; what the operands are, their types say
  // Conversions
  kCast,         // parts[0] as the node's type: a bug of the program if it is not of it
  kIntToFloat,   // parts[0]
  kFloatToInt,   // parts[0]; towards zero
  kEnumToInt,    // parts[0]
  kToInterface,  // parts[0], a reference, as one of the node's type
  // What else happens
  kNew,         // index: InterfaceId; parts[0]: the payload, if there is one
  kCall,        // index: FunctionId; parts: arguments
  kChooseBool,  // index: 1 if it is fair, chosen again and again in both ways; else 0
  kChooseInt,   // of 0 .. parts[0] - 1
  kChooseFrom,  // an element of the seq or set, or a key of the map, parts[0]
  kFormat,      // pieces; parts: arguments
};

// A part of a text: as it is, and then an argument, unless it is the last one.
struct FormatPiece {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::string_view text = {};
  std::uint32_t argument = kNone;
};

struct Expression {
  ExpressionKind kind = ExpressionKind::kNull;
  BinaryOperator op = BinaryOperator::kPlus;
  std::uint32_t index = 0;
  const Type* type = nullptr;
  Place place = {};
  std::int64_t integer = 0;
  double real = 0;
  std::string_view text = {};
  std::span<const Expression* const> parts = {};
  std::span<const FormatPiece> pieces = {};

  bool is_constant() const { return kind <= ExpressionKind::kEnumElement; }
};

}  // namespace ravel::p
