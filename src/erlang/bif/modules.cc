// Built-ins that ask about modules.
//
// Code is loaded when it is first called, which says more about earlier executions than about this one. So a
// module counts as loaded if it can be found: the answer is the same in every execution.
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

// In OTP's order, that of the functions in the code, unless other modules that were loaded before call some of them.
Term exports_of(Call& call, const Module& module) {
  std::vector<Term> entries;
  for (const auto& [name, arity] : module.exports | std::views::reverse) entries.push_back(name_and_arity(call.heap, name, arity));
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

}  // namespace

Term module_loaded_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  return atoms::boolean(call.machine.find_module(call.machine.stand_in(arguments[0])) != nullptr);
}

Term function_exported_3(Call& call, const Term* arguments) {
  const Term arity = arguments[2];
  if (!arguments[0].is_atom() || !arguments[1].is_atom() || !arity.is_small() || arity.small_value() < 0)
    return call.badarg();
  if (arity.small_value() > kArityMax) return atoms::kFalse;
  const auto count = static_cast<std::uint32_t>(arity.small_value());
  const Term module = call.machine.stand_in(arguments[0]);
  if (call.machine.find_builtin(module, arguments[1], count) != nullptr) return atoms::kTrue;
  call.machine.find_module(module);
  return atoms::boolean(call.machine.is_exported(module, arguments[1], count));
}

Term check_old_code_1(Call& call, const Term* arguments) {
  return arguments[0].is_atom() ? atoms::kFalse : call.badarg();
}

Term get_module_info_1(Call& call, const Term* arguments) {
  const Module* module = arguments[0].is_atom() ? call.machine.find_module(arguments[0]) : nullptr;
  if (module == nullptr) return call.badarg();
  std::vector<Term> entries;
  for (const Term key : {atoms::kModule, atoms::kExports, atoms::kAttributes, atoms::kCompile, atoms::kMd5})
    entries.push_back(call.heap.tuple({key, information(call, *module, key)}));
  return call.heap.list(entries);
}

Term get_module_info_2(Call& call, const Term* arguments) {
  const Module* module = arguments[0].is_atom() ? call.machine.find_module(arguments[0]) : nullptr;
  const Term value = module == nullptr ? Term::none() : information(call, *module, arguments[1]);
  return value.is_none() ? call.badarg() : value;
}

// As the emulator lists them.
Term pre_loaded_0(Call& call, const Term*) {
  std::vector<Term> modules;
  for (const std::string_view module : kPreloadedModules)
    if (module != "erts_trace_cleaner" || installed_release().has_trace_sessions) modules.push_back(call.atom(module));
  return call.heap.list(modules);
}

}  // namespace ravel::erlang
