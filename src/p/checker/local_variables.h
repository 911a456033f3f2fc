// The variables of a function that are in scope, while its body is checked. Each has a slot of its own.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "p/checker/context.h"

namespace ravel::p {

class LocalVariables {
 public:
  LocalVariables(Context& context, FunctionId function) : context_(context), function_(function) {}

  // Reports a name that the innermost scope, or a test's parameter, has already.
  void declare(const Name& name, const Type* type);
  // The slot of the innermost one of this name.
  std::optional<std::uint32_t> find(std::string_view name) const;

  // A scope inside the present one. What enter() returns is for leave().
  std::size_t enter() { return std::exchange(scope_begin_, in_scope_.size()); }
  void leave(std::size_t outer) {
    in_scope_.resize(scope_begin_);
    scope_begin_ = outer;
  }

 private:
  struct Local {
    std::string_view name;
    std::uint32_t slot;
  };

  Context& context_;
  const FunctionId function_;
  std::vector<Local> in_scope_;  // the innermost last
  std::size_t scope_begin_ = 0;  // of the innermost scope
};

}  // namespace ravel::p
