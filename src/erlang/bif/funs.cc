// Built-ins on funs.
#include <algorithm>
#include <array>

#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"
#include "erlang/term/bits.h"

namespace ravel::erlang {

namespace {

constexpr std::int64_t kArityMax = 255;

bool is_local(Term fun) { return is_kind(fun, Kind::kFun); }
const FunEntry& entry_of(const Names& names, Term fun) {
  return names.fun(static_cast<std::uint32_t>(fun.object()[1].small_value()));
}
Term arity_of(Term fun) { return fun.object()[is_local(fun) ? 2 : 3]; }
Term module_of(const Names& names, Term fun) {
  return is_local(fun) ? entry_of(names, fun).module : fun.object()[1];
}
// The function that holds its code; [] while the module is not loaded.
Term name_of(const Names& names, Term fun) {
  if (!is_local(fun)) return fun.object()[2];
  const FunEntry& entry = entry_of(names, fun);
  return entry.code == 0 || entry.name.is_none() ? Term::nil() : entry.name;
}

Term environment_of(Heap& heap, Term fun) {
  if (!is_local(fun)) return Term::nil();
  const Term* object = fun.object();
  return heap.list(std::span<const Term>(object + 3, size_of(object[0]) - 2));
}

// The value of one item; none for an item that does not exist.
Term fun_item(Call& call, Term fun, Term item) {
  const Names& names = call.names;
  if (item == atoms::kType) return is_local(fun) ? atoms::kLocal : atoms::kExternal;
  if (item == atoms::kModule) return module_of(names, fun);
  if (item == atoms::kName) return name_of(names, fun);
  if (item == atoms::kArity) return arity_of(fun);
  if (item == atoms::kEnv) return environment_of(call.heap, fun);
  const bool is_local_item = item == atoms::kPid || item == atoms::kIndex || item == atoms::kNewIndex ||
                             item == atoms::kUniq || item == atoms::kNewUniq || item == atoms::kRefc;
  if (!is_local_item) return Term::none();
  if (!is_local(fun)) return atoms::kUndefined;
  const FunEntry& entry = entry_of(names, fun);
  if (item == atoms::kPid) return names.root_pid();  // funs do not remember who made them
  if (item == atoms::kIndex || item == atoms::kNewIndex) return Term::small(entry.index);
  if (item == atoms::kUniq) return Term::small(entry.old_uniq);
  if (item == atoms::kNewUniq) return make_binary(call.heap, entry.uniq, sizeof entry.uniq);
  return Term::small(1);  // refc: how many there are is not observable here
}

Term fun_info_2(Call& call, const Term* arguments) {
  if (!is_fun(arguments[0])) return call.badarg();
  const Term value = fun_item(call, arguments[0], arguments[1]);
  return value.is_none() ? call.badarg() : call.heap.tuple({arguments[1], value});
}

Term fun_info_mfa_1(Call& call, const Term* arguments) {
  const Term fun = arguments[0];
  if (!is_fun(fun)) return call.badarg();
  return call.heap.tuple({module_of(call.names, fun), name_of(call.names, fun), arity_of(fun)});
}

Term make_fun_3(Call& call, const Term* arguments) {
  const Term arity = arguments[2];
  if (!arguments[0].is_atom() || !arguments[1].is_atom() || !arity.is_small() || arity.small_value() < 0 ||
      arity.small_value() > kArityMax)
    return call.badarg();
  Term* object = call.heap.allocate(4);
  object[0] = make_header(Kind::kExternalFun, 3);
  std::copy_n(arguments, 3, object + 1);
  return Term::boxed(object);
}

Term is_builtin_3(Call& call, const Term* arguments) {
  const Term arity = arguments[2];
  if (!arguments[0].is_atom() || !arguments[1].is_atom() || !arity.is_small()) return call.badarg();
  if (arity.small_value() < 0 || arity.small_value() > kArityMax) return atoms::kFalse;
  return atoms::boolean(call.machine.code.find_builtin(arguments[0], arguments[1],
                                                       static_cast<std::uint32_t>(arity.small_value())) !=
                        nullptr);
}

constexpr auto kFunBuiltins = std::to_array<Builtin>({
    {"erlang", "fun_info", 2, Effect::kPure, fun_info_2},
    {"erlang", "fun_info_mfa", 1, Effect::kPure, fun_info_mfa_1},
    {"erlang", "is_builtin", 3, Effect::kPure, is_builtin_3},
    {"erlang", "make_fun", 3, Effect::kPure, make_fun_3},
});
static_assert(std::ranges::is_sorted(kFunBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> fun_builtins() { return kFunBuiltins; }

}  // namespace ravel::erlang
