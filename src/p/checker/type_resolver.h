// From types as they are written to types. Names stand for what they name; a typedef that contains itself is
// an error.

#pragma once

#include "p/checker/context.h"

namespace ravel::p {

class TypeResolver {
 public:
  explicit TypeResolver(Context& context) : context_(context) {}

  // null if nothing is written; the type of errors if something is wrong, which is reported.
  const Type* resolve(const TypeSyntax* syntax);

 private:
  const Type* named(const Name& name);
  const Type* of_typedef(const Name& name, Typedef& definition);
  const Type* named_tuple(const TypeSyntax& syntax, const std::vector<const Type*>& parts);
  const Type* checked_depth(const Type* type, Place place);

  Context& context_;
  unsigned depth_ = 0;
};

}  // namespace ravel::p
