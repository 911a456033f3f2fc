// One call of a foreign function: answers what it asks, makes the values that it wants, and notes how it
// ends.
#pragma once

#include <ravel/p_foreign_abi.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "p/code/foreign_functions.h"
#include "p/program/program.h"

namespace ravel::p {

class ForeignCall {
 public:
  // All must outlive the call.
  ForeignCall(const Program& program, ValueStore& store, const ValueNames& names,
              std::span<const Value> answers);
  ForeignCall(const ForeignCall&) = delete;
  ForeignCall& operator=(const ForeignCall&) = delete;

  // Each once, and one of them only.
  ForeignOutcome run(const ravel_p_function& function, std::span<const Value> arguments);
  ForeignOutcome show(const ravel_p_type& type, Value content);

 private:
  // What the library sees.
  struct Host final : ravel_p_call {
    explicit Host(ForeignCall& call) : ravel_p_call{}, own(call) {}
    ForeignCall& own;
  };
  static ForeignCall& of(ravel_p_call* call) { return static_cast<Host*>(call)->own; }
  // Null is 0 there.
  static ravel_p_value out(Value value) { return value.is_null() ? RAVEL_P_NULL_VALUE : value.bits(); }
  // A number that is no value breaks a rule, and is null.
  Value in(ravel_p_value handle);
  std::vector<Value> in(const ravel_p_value* handles, std::size_t count);
  void set_questions();
  void set_makers();
  void set_others();

  // What breaks a rule; the first one counts.
  void misuse(std::string text);
  // Whether it holds; if not, that breaks a rule: "asks for `what` of ...".
  bool require(bool holds, std::string_view what, Value value);
  void end(ForeignOutcome::Kind kind, std::string text);
  ForeignOutcome finish(ravel_p_value result);

  static ravel_p_kind kind_of(Value value);
  static std::optional<std::size_t> size_of(Value value);
  Value part_at(Value value, std::size_t place);
  Value mapped_at(Value map, std::size_t place);
  std::string_view field_at(Value value, std::size_t place);
  Value event_named(std::string_view name);
  Value named_tuple_of(const char* const* fields, std::span<const Value> parts);
  Value foreign_of(std::string_view type, Value content);
  bool choose_one(std::int64_t count, std::int64_t* chosen);
  const char* said(std::string text);

  Host host_;
  const Program& program_;
  ValueStore& store_;
  const ValueNames& names_;
  const std::span<const Value> answers_;
  std::size_t answered_ = 0;
  std::optional<ForeignOutcome> ended_;  // before it has returned
  std::optional<std::string> misuse_;
  std::string log_;
  std::string said_;
};

}  // namespace ravel::p
