#include <utility>

#include "base/check.h"
#include "p/code/function_compiler.h"

namespace ravel::p {
namespace {

std::uint32_t add_constant(Code& code, Value value) {
  code.constants.push_back(value);
  return static_cast<std::uint32_t>(code.constants.size() - 1);
}

void bind_machines(Code& code) {
  const TestCase& test = *code.test;
  const auto place_of = [&](InterfaceId interface) {
    for (std::size_t i = 0; i < test.bindings.size(); ++i)
      if (test.bindings[i].interface == interface) return static_cast<std::uint32_t>(i);
    return kNowhere;
  };
  for (const Binding& binding : test.bindings) {
    BoundMachine bound{.interface = binding.interface, .machine = binding.machine};
    for (const std::optional<InterfaceId>& link : binding.links)
      bound.links.push_back(link ? place_of(*link) : kNowhere);
    code.machines.push_back(std::move(bound));
  }
  for (std::size_t i = 0; i < test.monitors.size(); ++i) {
    code.monitors.push_back(test.monitors[i].machine);
    for (const InterfaceId interface : test.monitors[i].interfaces)
      if (const std::uint32_t place = place_of(interface); place != kNowhere)
        code.machines[place].monitors.push_back(static_cast<std::uint32_t>(i));
  }
  code.main = place_of(test.main);
  CHECK(code.main != kNowhere);
}

}  // namespace

Value default_value(const Program& program, const Type* type, ValueStore& store) {
  if (type == nullptr) return Value::null();
  switch (type->kind) {
    case TypeKind::kBool: return Value::boolean(false);
    case TypeKind::kInt: return Value::small(0);
    case TypeKind::kFloat: return store.real(0);
    case TypeKind::kString: return store.string("");
    case TypeKind::kEnum: return store.integer(program.enums[index(type->enumeration)].default_value);
    case TypeKind::kSeq: return store.empty_seq();
    case TypeKind::kSet: return store.empty_set();
    case TypeKind::kMap: return store.empty_map();
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple: {
      std::vector<Value> parts;
      for (const Type* const part : type->parts) parts.push_back(default_value(program, part, store));
      return type->is(TypeKind::kTuple) ? store.tuple(parts) : store.named_tuple(type->shape, parts);
    }
    default: return Value::null();
  }
}

Code compile(const Program& program, const TestCase& test, ValueStore& store) {
  Code code;
  code.program = &program;
  code.test = &test;
  bind_machines(code);
  const auto constant_of_default = [&](const Type* type) {
    return add_constant(code, default_value(program, type, store));
  };
  for (const Event& event : program.events) code.payloads.push_back(constant_of_default(event.payload));
  for (const Machine& machine : program.machines) {
    std::vector<std::uint32_t>& defaults = code.fields.emplace_back();
    for (const Variable& field : machine.fields) defaults.push_back(constant_of_default(field.type));
  }
  for (const State& state : program.states) {
    std::vector<const Action*>& reactions = code.reactions.emplace_back(program.events.size());
    for (const Action& action : state.actions) reactions[index(action.event)] = &action;
  }
  for (const Function& function : program.functions) {
    FunctionCode made{.parameters = function.parameters};
    if (function.parameters == 1) made.parameter = function.slots[0].type;
    for (std::size_t i = function.parameters; i < function.slots.size(); ++i)
      made.defaults.push_back(constant_of_default(function.slots[i].type));
    code.functions.push_back(std::move(made));
  }
  for (std::size_t i = 0; i < program.functions.size(); ++i)
    if (!program.functions[i].is_foreign)
      code.functions[i].code = FunctionCompiler(code, store, program.functions[i]).compile();
  return code;
}

}  // namespace ravel::p
