// Makes code of one function: expressions (expressions.cc) and statements (statements.cc).
//
// What an expression leaves on the stack is one value. Between statements the operands are empty, but for
// collection and count of each `foreach` around.

#pragma once

#include <string>
#include <vector>

#include "p/code/code.h"

namespace ravel::p {

class FunctionCompiler {
 public:
  FunctionCompiler(Code& code, ValueStore& store, const Function& function)
      : code_(code), store_(store), function_(function) {}

  // Where its code begins.
  std::uint32_t compile();

 private:
  using Jumps = std::vector<std::uint32_t>;  // instructions whose `a` is still to be filled in
  struct Loop {
    Jumps breaks = {};
    Jumps continues = {};
  };

  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.instructions.size()); }
  std::uint32_t emit(Place place, Opcode op, std::uint32_t a = 0, std::uint32_t b = 0);
  void lead_here(const Jumps& jumps);
  void push(Place place, Value value);
  void refuse(Place place, std::string text);

  void expression(const Expression& node);
  void expressions(std::span<const Expression* const> nodes);
  void two_operands(const Expression& node);
  void binary(const Expression& node);
  void short_cut(const Expression& node);
  void call(Place place, std::uint32_t function);
  void jump_to(Jumps& jumps, Place place, Opcode op = Opcode::kJump) { jumps.push_back(emit(place, op)); }

  void statement(const Statement& node);
  void assertion(const Statement& node);
  void change(const Statement& node, Path::Change how);
  void locate(const Expression& location, Path& path);
  void assign_variable(Place place, bool is_field, std::uint32_t variable);
  void while_loop(const Statement& node);
  void foreach_loop(const Statement& node);
  void branch(const Statement& node);
  void receive(const Statement& node);
  void event_and_payload(const Statement& node, std::size_t event, Opcode op);

  Code& code_;
  ValueStore& store_;
  const Function& function_;
  std::vector<Loop> loops_;
  std::vector<Jumps> cases_;  // of `receive`, around: jumps to its end
};

}  // namespace ravel::p
