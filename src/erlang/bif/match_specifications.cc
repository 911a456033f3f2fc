// Built-ins of match specifications.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/check.h"
#include "erlang/bif/builtins.h"
#include "erlang/bif/match_guards.h"
#include "erlang/machine/process.h"
#include "erlang/term/header.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

struct GuardName {
  std::string_view name;
  std::uint32_t arity;
  auto operator<=>(const GuardName&) const = default;
};

// All functions of erlang that guards and bodies may call; the special forms are not among them.
constexpr auto kGuards = std::to_array<GuardName>({
    {"*", 2},          {"+", 1},           {"+", 2},
    {"-", 1},          {"-", 2},           {"/", 2},
    {"/=", 2},         {"<", 2},           {"=/=", 2},
    {"=:=", 2},        {"=<", 2},          {"==", 2},
    {">", 2},          {">=", 2},          {"abs", 1},
    {"band", 2},       {"binary_part", 2}, {"binary_part", 3},
    {"bit_size", 1},   {"bnot", 1},        {"bor", 2},
    {"bsl", 2},        {"bsr", 2},         {"bxor", 2},
    {"byte_size", 1},  {"div", 2},         {"element", 2},
    {"float", 1},      {"hd", 1},          {"is_atom", 1},
    {"is_binary", 1},  {"is_float", 1},    {"is_function", 1},
    {"is_integer", 1}, {"is_list", 1},     {"is_map", 1},
    {"is_map_key", 2}, {"is_number", 1},   {"is_pid", 1},
    {"is_port", 1},    {"is_record", 3},   {"is_reference", 1},
    {"is_tuple", 1},   {"length", 1},      {"map_get", 2},
    {"map_size", 1},   {"node", 0},        {"node", 1},
    {"not", 1},        {"rem", 2},         {"round", 1},
    {"size", 1},       {"tl", 1},          {"trunc", 1},
    {"tuple_size", 1}, {"xor", 2},
});
static_assert(std::ranges::is_sorted(kGuards));
static_assert(kGuards.size() <= BuiltinGuards::kGuardsMax);

BuiltinFunction find_function(const GuardName& guard) {
  for (const auto family : {term_builtins(), number_builtins(), tuple_builtins(), list_builtins(),
                            map_builtins(), binary_builtins(), text_builtins()}) {
    const Builtin::Key key{"erlang", guard.name, guard.arity};
    const auto found = std::ranges::lower_bound(family, key, {}, &Builtin::key);
    if (found != family.end() && found->key() == key) return found->function;
  }
  CHECK_MESSAGE(false, "a guard that is no built-in");
}

Term tag() { return atoms::kErtsSecretAtom; }

Term match_spec_compile_1(Call& call, const Term* arguments) {
  BuiltinGuards guards(call);
  if (!MatchSpecification::compile(call.heap, call.names, arguments[0], MatchDialect::kTable, guards))
    return call.badarg();
  return compiled_match_specification(call.heap, arguments[0]);
}

Term is_compiled_ms_1(Call&, const Term* arguments) {
  return atoms::boolean(is_compiled_match_specification(arguments[0]));
}

// The results are put in front of the third argument, the last first.
Term match_spec_run_r_3(Call& call, const Term* arguments) {
  if (!is_list(arguments[0]) || !is_compiled_match_specification(arguments[1])) return call.badarg();
  BuiltinGuards guards(call);
  const auto specification = MatchSpecification::compile(
      call.heap, call.names, source_of_match_specification(arguments[1]), MatchDialect::kTable, guards);
  if (!specification) return call.badarg();
  MatchRunner runner(*specification, call.heap, call.names, guards, call.self().pid);
  Term result = arguments[2];
  Term list = arguments[0];
  for (; list.is_cons(); list = list.tail()) {
    const Term value = runner.run(list.head());
    if (!value.is_none()) result = call.heap.cons(value, result);
  }
  return list.is_nil() ? result : call.badarg();
}

Term characters(Heap& heap, std::string_view text) {
  Term list = Term::nil();
  for (std::size_t i = text.size(); i-- > 0;)
    list = heap.cons(Term::small(static_cast<unsigned char>(text[i])), list);
  return list;
}

Term match_spec_test_3(Call& call, const Term* arguments) {
  Heap& heap = call.heap;
  const bool is_trace = arguments[2] == atoms::kTrace;
  if (!is_trace && arguments[2] != atoms::kTable) return call.badarg();
  if (is_trace && !is_list(arguments[0])) return call.badarg();
  BuiltinGuards guards(call);
  std::vector<std::string> errors;
  const auto specification =
      MatchSpecification::compile(heap, call.names, arguments[1],
                                  is_trace ? MatchDialect::kTrace : MatchDialect::kTable, guards, &errors);
  if (!specification) {
    Term list = Term::nil();
    for (std::size_t i = errors.size(); i-- > 0;)
      list = heap.cons(heap.tuple({atoms::kError, characters(heap, errors[i])}), list);
    return heap.tuple({atoms::kError, list});
  }
  MatchRunner runner(*specification, heap, call.names, guards, call.self().pid);
  Term value = runner.run(arguments[0]);
  if (value.is_none()) value = atoms::kFalse;
  Term flags = Term::nil();
  if (runner.wants_exception_trace()) flags = heap.cons(atoms::kExceptionTrace, flags);
  if (runner.wants_return_trace()) flags = heap.cons(atoms::kReturnTrace, flags);
  return heap.tuple({atoms::kOk, value, flags, Term::nil()});
}

constexpr auto kMatchSpecificationBuiltins = std::to_array<Builtin>({
    {"erlang", "match_spec_test", 3, Effect::kPure, match_spec_test_3},
    {"ets", "is_compiled_ms", 1, Effect::kPure, is_compiled_ms_1},
    {"ets", "match_spec_compile", 1, Effect::kPure, match_spec_compile_1},
    {"ets", "match_spec_run_r", 3, Effect::kPure, match_spec_run_r_3},
});
static_assert(std::ranges::is_sorted(kMatchSpecificationBuiltins, {}, &Builtin::key));

}  // namespace

std::optional<std::uint32_t> BuiltinGuards::find(Term name, std::uint32_t arity) {
  const GuardName wanted{call_.names.atoms.text(name), arity};
  const auto found = std::ranges::lower_bound(kGuards, wanted);
  if (found == kGuards.end() || *found != wanted) return std::nullopt;
  if (wanted.name == "tuple_size" && !installed_release().guards_by_tuple_size) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(found - kGuards.begin());
  if (functions_[number] == nullptr) functions_[number] = find_function(*found);
  return number;
}

Term BuiltinGuards::call(std::uint32_t function, const Term* arguments) {
  return functions_[function](call_, arguments);
}

bool is_compiled_match_specification(Term t) { return is_tuple_of(t, 2) && element(t, 1) == tag(); }
Term compiled_match_specification(Heap& heap, Term source) { return heap.tuple({tag(), source}); }
Term source_of_match_specification(Term t) { return element(t, 2); }

std::span<const Builtin> match_specification_builtins() { return kMatchSpecificationBuiltins; }

}  // namespace ravel::erlang
