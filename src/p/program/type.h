// Types of a checked program. Equal ones are one object (type_table.h); names of types stand for what they
// name.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "p/program/id_set.h"

namespace ravel::p {

enum class TypeKind : std::uint8_t {
  kError,  // of an expression that is wrong, which was reported: fits everywhere
  kNull,   // of `null`, and of what returns nothing or carries nothing
  kBool,
  kInt,  // 64 bits
  kFloat,
  kString,
  kEvent,
  kMachine,     // a reference to any machine
  kPermission,  // a reference to a machine that receives at least `permissions`: an interface, a machine, an
                // event set
  kData,        // anything that holds no reference to a machine
  kAny,
  kEnum,
  kForeign,     // values of another language
  kSeq,         // parts: of the elements
  kSet,         // parts: of the elements
  kMap,         // parts: of the keys, of the values
  kTuple,       // parts
  kNamedTuple,  // parts, fields; their order matters
};

struct Type {
  TypeKind kind = TypeKind::kError;
  std::uint16_t depth = 1;           // of the tree
  std::uint32_t number = 0;          // in the table
  std::string_view name = {};        // of an enum, foreign type or permission
  EnumId enumeration{};              // of kEnum
  std::uint32_t shape = 0;           // of kNamedTuple: the number of its list of fields, whatever their types
  const EventSet* permissions = {};  // of kPermission
  std::span<const Type* const> parts = {};
  std::span<const std::string_view> fields = {};

  const Type* element() const { return parts[0]; }  // of a seq or set
  const Type* key() const { return parts[0]; }
  const Type* value() const { return parts[1]; }
  bool is(TypeKind other) const { return kind == other; }
};

// As P writes it; cut off where it gets long.
std::string to_string(const Type* type);

}  // namespace ravel::p
