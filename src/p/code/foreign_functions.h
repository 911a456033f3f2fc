// Functions of a program that have no body in P: who has them, and what a call of one does.

#pragma once

#include <optional>
#include <span>
#include <string>

#include "p/program/ids.h"
#include "p/value/print.h"
#include "p/value/store.h"

namespace ravel::p {

struct ForeignOutcome {
  enum class Kind : std::uint8_t {
    kResult,   // `value`
    kChooses,  // one of so many numbers from 0 on as `value`, an integer, says; it has to be called again
               // then
    kFails,    // an assertion, with `text` for its message
    kThrows,   // an exception, which `text` names
    kMisuse,   // the library breaks a rule: `text`, a clause without a subject
  };
  Kind kind = Kind::kResult;
  Value value = Value::null();
  std::string text = {};
  std::string log = {};  // lines that it prints

  friend bool operator==(const ForeignOutcome&, const ForeignOutcome&) = default;
};

class ForeignFunctions {
 public:
  virtual ~ForeignFunctions() = default;

  virtual bool has(FunctionId function) const = 0;
  // `answers`: what was chosen for it so far. The outcome depends on these values alone; whether the result
  // is of the function's type, it leaves to the caller. REQUIRES: has(function), and as many arguments as it
  // takes.
  virtual ForeignOutcome call(FunctionId function, std::span<const Value> arguments,
                              std::span<const Value> answers, ValueStore& store,
                              const ValueNames& names) const = 0;
  // How its library shows a foreign value; none: in no way of its own.
  virtual std::optional<std::string> shown(Value foreign, ValueStore& store,
                                           const ValueNames& names) const = 0;
};

}  // namespace ravel::p
