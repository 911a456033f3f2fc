#include "p/checker/local_variables.h"

#include <algorithm>

namespace ravel::p {

void LocalVariables::declare(const Name& name, const Type* type) {
  std::vector<Variable>& slots = context_.program.function(function_).slots;
  const auto slot = static_cast<std::uint32_t>(slots.size());
  for (std::size_t i = scope_begin_; i < in_scope_.size(); ++i)
    if (in_scope_[i].name == name.text)
      context_.error(name.place, quoted(name.text) + " is already declared at " +
                                     context_.describe(slots[in_scope_[i].slot].place));
  if (const ParameterId* parameter = p::find(context_.names.parameters, name.text))
    context_.error(name.place, quoted(name.text) + " is a parameter of tests, declared at " +
                                   context_.describe(context_.program.parameters[index(*parameter)].place));
  slots.push_back({context_.program.arena.copy(name.text), type, name.place});
  in_scope_.push_back({name.text, slot});
}

std::optional<std::uint32_t> LocalVariables::find(std::string_view name) const {
  const auto at =
      std::find_if(in_scope_.rbegin(), in_scope_.rend(), [&](const Local& one) { return one.name == name; });
  return at == in_scope_.rend() ? std::nullopt : std::optional(at->slot);
}

}  // namespace ravel::p
