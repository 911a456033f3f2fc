// Choices of the program: ravel:choose/1 (lib/ravel.erl).
#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

// Where there was no choice, it is called wrongly.
Term ravel_number_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_small() || arguments[0].small_value() < 1) return call.badarg();
  if (arguments[0].small_value() > kChoicesMax) return call.system_limit();
  return Term::small(call.machine.interpreter.choice() + 1);
}

constexpr Builtin kChoiceBuiltins[] = {{"ravel", "number", 1, Effect::kChoice, ravel_number_1}};

}  // namespace

std::span<const Builtin> choice_builtins() { return kChoiceBuiltins; }

}  // namespace ravel::erlang
