// Statements of a checked program.
//
// A location (what is assigned to) is an expression of kLocal or kField, and inside it kElement, kSeqElement
// and kMapValue.

#pragma once

#include <optional>

#include "p/program/expression.h"

namespace ravel::p {

enum class StatementKind : std::uint8_t {
  kBlock,      // statements
  kAssert,     // expressions[0]; [1]: the message, if there is one
  kPrint,      // expressions[0]
  kReturn,     // expressions[0], if there is one
  kBreak,      // of the innermost loop
  kContinue,   // of the innermost loop
  kLeaveCase,  // `break` in a case of `receive` that no loop inside the case is around: ends the case
  kAssign,     // location expressions[0], value [1]
  kInsert,     // location of a seq or map expressions[0], index or key [1], value [2]
  kAdd,        // location of a set expressions[0], value [1]
  kRemove,     // location expressions[0], index (of a seq), key (of a map) or element (of a set) [1]
  kWhile,      // condition expressions[0], statements[0]
  kForeach,    // index: slot or field; collection expressions[0], evaluated once; statements[0]
  kIf,         // condition expressions[0], statements[0]; else [1], if there is one
  kNew,        // index: InterfaceId; expressions[0]: payload, if there is one
  kCall,       // index: FunctionId; expressions: arguments
  kRaise,      // event expressions[0]; payload [1], if there is one
  kSend,       // to expressions[0], event [1]; payload [2], if there is one
  kAnnounce,   // as kRaise
  kGoto,       // index: StateId; expressions[0]: payload, if there is one
  kReceive,    // cases
};

// The cases of a `receive` are parts of the function around it, and use its variables.
struct ReceiveCase;

struct Statement {
  StatementKind kind = StatementKind::kBlock;
  bool is_field = false;  // of kForeach: `index` is a field's
  std::uint32_t index = 0;
  Place place = {};
  std::span<const Expression* const> expressions = {};
  std::span<const Statement* const> statements = {};
  std::span<const ReceiveCase> cases = {};
};

struct ReceiveCase {
  EventId event{};
  bool has_parameter = false;
  bool unwraps_payload = false;  // it is a tuple of one part, and the parameter takes the part
  // Its variables: the parameter, if it has one, and those it declares, which begin with their defaults.
  std::uint32_t first_slot = 0;
  std::uint32_t slots = 0;
  const Statement* body = nullptr;
};

}  // namespace ravel::p
