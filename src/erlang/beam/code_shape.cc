#include "erlang/beam/code_shape.h"

#include <string>
#include <vector>

namespace ravel::erlang {
namespace {

class Shape {
 public:
  Shape(BeamFile& beam, Fault& fault) : beam_(beam), fault_(fault) {}

  void split_into_functions();
  void check_calls();
  void check_names();

 private:
  const Instruction& instruction(std::size_t at) const { return beam_.instructions[at]; }
  bool is(std::size_t at, Opcode opcode) const {
    return at < beam_.instructions.size() && instruction(at).opcode == opcode;
  }
  std::uint32_t operand(std::size_t at, std::size_t i) const {
    return static_cast<std::uint32_t>(beam_.operands_of(instruction(at))[i].value);
  }
  // The position of the func_info of a function that begins at `at`, or 0.
  std::size_t func_info_of(std::size_t at) const {
    if (!is(at, Opcode::kLabel)) return 0;
    const std::size_t next = is(at + 1, Opcode::kLine) ? at + 2 : at + 1;
    return is(next, Opcode::kFuncInfo) ? next : 0;
  }
  const Function* function_at(std::uint32_t entry_label) const;
  void check_entry(std::uint32_t label, std::uint32_t function_atom, std::uint32_t arity, const char* table);
  std::string name_of(std::uint32_t function_atom, std::uint32_t arity) const {
    return beam_.atoms[function_atom] + "/" + std::to_string(arity);
  }
  void damage(const std::string& what) { fault_.report_damage("the Code chunk " + what); }

  BeamFile& beam_;
  Fault& fault_;
  std::vector<std::uint32_t> function_of_label_;  // by entry label; kNoIndex where no function is entered
};

void Shape::split_into_functions() {
  const std::size_t size = beam_.instructions.size();
  if (size == 0 || !is(size - 1, Opcode::kIntCodeEnd)) return damage("does not end in int_code_end");
  for (std::size_t at = 0; at + 1 < size;) {
    const std::size_t info = func_info_of(at);
    if (info != 0) {
      if (!is(info + 1, Opcode::kLabel)) return damage("has a function without an entry");
      if (operand(info, 0) != 1) return damage("has a function of another module");
      if (!beam_.functions.empty()) beam_.functions.back().end_instruction = static_cast<std::uint32_t>(at);
      beam_.functions.push_back({.function_atom = operand(info, 1),
                                 .arity = operand(info, 2),
                                 .info_label = operand(at, 0),
                                 .entry_label = operand(info + 1, 0),
                                 .first_instruction = static_cast<std::uint32_t>(at),
                                 .entry_instruction = static_cast<std::uint32_t>(info + 1)});
      at = info + 2;
      continue;
    }
    if (at == 0) return damage("does not begin with a function");
    if (is(at, Opcode::kFuncInfo)) return damage("has a func_info inside a function");
    if (is(at, Opcode::kIntCodeEnd)) return damage("goes on after int_code_end");
    ++at;
  }
  if (!beam_.functions.empty()) beam_.functions.back().end_instruction = static_cast<std::uint32_t>(size - 1);
  function_of_label_.assign(beam_.label_instructions.size(), kNoIndex);
  for (std::uint32_t i = 0; i < beam_.functions.size(); ++i)
    function_of_label_[beam_.functions[i].entry_label] = i;
}

const Function* Shape::function_at(std::uint32_t entry_label) const {
  const std::uint32_t index =
      entry_label < function_of_label_.size() ? function_of_label_[entry_label] : kNoIndex;
  return index == kNoIndex ? nullptr : &beam_.functions[index];
}

void Shape::check_calls() {
  for (std::size_t at = 0; at < beam_.instructions.size(); ++at) {
    const Opcode opcode = instruction(at).opcode;
    if (opcode != Opcode::kCall && opcode != Opcode::kCallLast && opcode != Opcode::kCallOnly) continue;
    const Function* function = function_at(operand(at, 1));
    if (function == nullptr) return damage("calls what is not the entry of a function");
    if (function->arity != operand(at, 0)) {
      return damage("calls " + name_of(function->function_atom, function->arity) +
                    " with the wrong number of arguments");
    }
  }
}

void Shape::check_entry(std::uint32_t label, std::uint32_t function_atom, std::uint32_t arity,
                        const char* table) {
  const Function* function = function_at(label);
  if (function != nullptr && function->function_atom == function_atom && function->arity == arity) return;
  fault_.report_damage(std::string(table) + " has " + name_of(function_atom, arity) + ", but its label " +
                       std::to_string(label) + " is not the entry of that function");
}

void Shape::check_names() {
  for (const NamedEntry& entry : beam_.exports) {
    check_entry(entry.label, entry.function_atom, entry.arity, "the ExpT chunk");
  }
  for (const NamedEntry& entry : beam_.locals) {
    check_entry(entry.label, entry.function_atom, entry.arity, "the LocT chunk");
  }
  for (const Lambda& lambda : beam_.lambdas) {
    check_entry(lambda.label, lambda.function_atom, lambda.arity, "the FunT chunk");
  }
}

}  // namespace

void find_functions(BeamFile& beam, std::uint32_t functions_stated, Fault& fault) {
  Shape shape(beam, fault);
  shape.split_into_functions();
  if (fault.found()) return;
  if (beam.functions.size() != functions_stated) {
    return fault.report_damage("the Code chunk has " + std::to_string(beam.functions.size()) +
                               " functions, but states " + std::to_string(functions_stated));
  }
  shape.check_calls();
  if (!fault.found()) shape.check_names();
}

}  // namespace ravel::erlang
