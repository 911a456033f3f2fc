// Built-ins that ask about modules.
//
// Code is loaded when it is first called, which says more about earlier executions than about this one. So a
// module counts as loaded if it can be found: the answer is the same in every execution. What a program
// loads, deletes and purges itself is part of the state; where that is known of a module
// (RunTimeCode::is_shared_code), questions about it are operations, under names in ravel_code.
#include <algorithm>
#include <array>
#include <ranges>

#include "erlang/bif/process_family.h"
#include "erlang/bif/system_family.h"
#include "erlang/machine/preloaded_modules.h"
#include "erlang/term/bits.h"
#include "erlang/term/external_format.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

constexpr std::int64_t kArityMax = 255;

Term name_and_arity(Heap& heap, Term name, std::uint32_t arity) {
  return heap.tuple({name, Term::small(arity)});
}

Term decoded(Call& call, const std::vector<std::uint8_t>& bytes) {
  if (bytes.empty()) return Term::nil();
  const auto term = decode_external(call.heap, call.names, bytes, NewAtoms::kRunTime);
  return term ? *term : Term::nil();
}

// In OTP's order, that of the functions in the code, unless other modules that were loaded before call some
// of them.
Term exports_of(Call& call, const Module& module) {
  std::vector<Term> entries;
  for (const auto& [name, arity] : module.exports | std::views::reverse)
    entries.push_back(name_and_arity(call.heap, name, arity));
  return call.heap.list(entries);
}

Term functions_of(Call& call, const Module& module) {
  std::vector<Term> entries;
  for (const LoadedFunction& function : module.functions)
    entries.push_back(name_and_arity(call.heap, function.name, function.arity));
  return call.heap.list(entries);
}

// None if there is no such key.
Term information(Call& call, const Module& module, Term key) {
  if (key == atoms::kModule) return module.name;
  if (key == atoms::kExports) return exports_of(call, module);
  if (key == atoms::kFunctions) return functions_of(call, module);
  if (key == atoms::kNifs || key == atoms::kNativeAddresses) return Term::nil();
  if (key == atoms::kAttributes) return decoded(call, module.attributes);
  if (key == atoms::kCompile) return decoded(call, module.compile_info);
  if (key == atoms::kNative) return atoms::kFalse;
  if (key == atoms::kMd5) return make_binary(call.heap, module.md5, sizeof module.md5);
  return Term::none();
}

// Whether the question is an operation: then it is asked again as the built-in of ravel_code.
bool is_operation(Call& call, Term module) {
  call.machine.run_time_code.note_user(module, call.self().pid);
  return call.machine.run_time_code.is_shared_code(module);
}

Term ask(Call& call, std::string_view name, std::initializer_list<Term> arguments) {
  return call.call_instead(call.atom("ravel_code"), call.atom(name), arguments);
}

bool is_loaded(Call& call, Term module) { return call.machine.code.find_module(module) != nullptr; }

bool exports(Call& call, Term module, Term function, std::uint32_t arity) {
  call.machine.code.find_module(module);
  return call.machine.code.is_exported(module, function, arity);
}

Term all_information(Call& call, Term name) {
  const Module* module = call.machine.code.find_module(name);
  if (module == nullptr) return call.badarg();
  std::vector<Term> entries;
  for (const Term key : {atoms::kModule, atoms::kExports, atoms::kAttributes, atoms::kCompile, atoms::kMd5})
    entries.push_back(call.heap.tuple({key, information(call, *module, key)}));
  return call.heap.list(entries);
}

Term one_information(Call& call, Term name, Term key) {
  const Module* module = call.machine.code.find_module(name);
  const Term value = module == nullptr ? Term::none() : information(call, *module, key);
  return value.is_none() ? call.badarg() : value;
}

}  // namespace

Term module_loaded_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  const Term module = call.machine.code.stand_in(arguments[0]);
  if (is_operation(call, module)) return ask(call, "module_loaded", {module});
  return atoms::boolean(is_loaded(call, module));
}

Term watched_module_loaded_1(Call& call, const Term* arguments) {
  call.machine.run_time_code.note_code(arguments[0], access::kRead);
  return atoms::boolean(is_loaded(call, arguments[0]));
}

Term function_exported_3(Call& call, const Term* arguments) {
  const Term arity = arguments[2];
  if (!arguments[0].is_atom() || !arguments[1].is_atom() || !arity.is_small() || arity.small_value() < 0)
    return call.badarg();
  if (arity.small_value() > kArityMax) return atoms::kFalse;
  const auto count = static_cast<std::uint32_t>(arity.small_value());
  const Term module = call.machine.code.stand_in(arguments[0]);
  if (call.machine.code.find_builtin(module, arguments[1], count) != nullptr) return atoms::kTrue;
  if (is_operation(call, module)) return ask(call, "function_exported", {module, arguments[1], arity});
  return atoms::boolean(exports(call, module, arguments[1], count));
}

Term watched_function_exported_3(Call& call, const Term* arguments) {
  call.machine.run_time_code.note_code(arguments[0], access::kRead);
  return atoms::boolean(
      exports(call, arguments[0], arguments[1], static_cast<std::uint32_t>(arguments[2].small_value())));
}

Term check_old_code_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  if (is_operation(call, arguments[0])) return ask(call, "check_old_code", {arguments[0]});
  return atoms::boolean(call.machine.run_time_code.has_changed_code(arguments[0]) &&
                        call.machine.run_time_code.code_slots(arguments[0]).old != nullptr);
}

Term watched_check_old_code_1(Call& call, const Term* arguments) {
  call.machine.run_time_code.note_code(arguments[0], access::kRead);
  return atoms::boolean(call.machine.run_time_code.code_slots(arguments[0]).old != nullptr);
}

Term get_module_info_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  if (is_operation(call, arguments[0])) return ask(call, "get_module_info", {arguments[0]});
  return all_information(call, arguments[0]);
}

Term watched_get_module_info_1(Call& call, const Term* arguments) {
  call.machine.run_time_code.note_code(arguments[0], access::kRead);
  return all_information(call, arguments[0]);
}

Term get_module_info_2(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  if (is_operation(call, arguments[0])) return ask(call, "get_module_info", {arguments[0], arguments[1]});
  return one_information(call, arguments[0], arguments[1]);
}

Term watched_get_module_info_2(Call& call, const Term* arguments) {
  call.machine.run_time_code.note_code(arguments[0], access::kRead);
  return one_information(call, arguments[0], arguments[1]);
}

// The modules in the emulator's order.
Term pre_loaded_0(Call& call, const Term*) {
  std::vector<Term> modules;
  for (const std::string_view module : kPreloadedModules)
    if (module != "erts_trace_cleaner" || installed_release().has_trace_sessions)
      modules.push_back(call.atom(module));
  return call.heap.list(modules);
}

}  // namespace ravel::erlang
