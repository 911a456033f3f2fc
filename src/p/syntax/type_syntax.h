// Types as they are written.

#pragma once

#include <span>

#include "p/syntax/name.h"

namespace ravel::p {

enum class TypeForm : std::uint8_t {
  kNamed,  // name: a typedef, enum, machine, interface, event set or event; or nothing of that name
  kBool,
  kInt,
  kFloat,
  kString,
  kEvent,
  kMachine,
  kData,
  kAny,
  kSeq,         // parts: of the elements
  kSet,         // parts: of the elements
  kMap,         // parts: of the keys, of the values
  kTuple,       // parts
  kNamedTuple,  // parts, fields
};

struct TypeSyntax {
  TypeForm form = TypeForm::kNamed;
  Place place = {};
  Name name = {};
  std::span<const TypeSyntax* const> parts = {};
  std::span<const Name> fields = {};
};

}  // namespace ravel::p
