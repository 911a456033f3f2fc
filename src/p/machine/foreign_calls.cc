// Calls of functions that libraries have.

#include "base/check.h"
#include "p/code/foreign_functions.h"
#include "p/machine/interpreter.h"
#include "p/value/sequence.h"

namespace ravel::p {

std::optional<bool> Interpreter::call_foreign(LiveMachine& live, FunctionId function) {
  has_called_foreign_ = true;
  const Function& called = program_.function(function);
  const std::string name = "the foreign function `" + std::string(called.name) + "`";
  std::vector<Value>& stack = live.stack;
  const std::size_t below = stack.size() - 1 - called.parameters;
  const std::span<const Value> arguments = std::span(stack).subspan(below, called.parameters);
  if (opaque_.are_watched() && is_refused(live, opaque_.refuse_to_give(arguments))) return std::nullopt;
  const ForeignOutcome outcome =
      program_.foreign->call(function, arguments, seq::elements(stack.back()), store_, texts_);
  if (outcome.kind == ForeignOutcome::Kind::kChooses) {
    if (is_monitor(live))
      return refuse(live, name + " makes a choice, and a spec only watches"), std::nullopt;
    stack.push_back(outcome.value);
    return false;
  }
  output_ += outcome.log;
  switch (outcome.kind) {
    case ForeignOutcome::Kind::kFails:
      fail(live, "assertion", outcome.text.empty() ? name + " fails" : outcome.text);
      return std::nullopt;
    case ForeignOutcome::Kind::kThrows:
      fail(live, "foreign_exception", name + " throws " + outcome.text);
      return std::nullopt;
    case ForeignOutcome::Kind::kMisuse: refuse(live, name + " " + outcome.text); return std::nullopt;
    default: break;
  }
  if (!fits(outcome.value, called.result))
    return refuse(live, name + " returns " + to_text(outcome.value, texts_) +
                            ", which is no value of type `" + to_string(called.result) + "`"),
           std::nullopt;
  stack.resize(below);
  stack.push_back(outcome.value);
  return true;
}

}  // namespace ravel::p
