// The built-ins that match specifications may call, for match_specification.h.
#pragma once

#include <array>

#include "erlang/machine/builtin.h"
#include "erlang/term/match_specification.h"

namespace ravel::erlang {

class BuiltinGuards final : public GuardFunctions {
 public:
  static constexpr std::size_t kGuardsMax = 64;

  explicit BuiltinGuards(Call& call) : call_(call) {}

  std::optional<std::uint32_t> find(Term name, std::uint32_t arity) override;
  Term call(std::uint32_t function, const Term* arguments) override;

 private:
  Call& call_;
  std::array<BuiltinFunction, kGuardsMax> functions_{};  // the functions that were found
};

// How a compiled specification looks to the program: {Tag, Source}, where Tag is an atom that only the
// machine makes. The source is lowered again for each call; it is small.
bool is_compiled_match_specification(Term t);
Term compiled_match_specification(Heap& heap, Term source);
// REQUIRES: is_compiled_match_specification(t).
Term source_of_match_specification(Term t);

}  // namespace ravel::erlang
