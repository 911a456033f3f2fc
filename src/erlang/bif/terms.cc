// Built-ins on terms of any type: tests, comparisons, booleans, and what erts_internal and erts_debug tell.
#include <algorithm>
#include <array>
#include <string>

#include "erlang/bif/builtins.h"
#include "erlang/bif/shown_names.h"
#include "erlang/machine/machine.h"
#include "erlang/term/bits.h"
#include "erlang/term/compare.h"
#include "erlang/term/header.h"
#include "erlang/term/native_record.h"
#include "erlang/term/release.h"
#include "erlang/term/term_size.h"

namespace ravel::erlang {

namespace {

using atoms::boolean;

bool is_foreign(Term t, Term type) { return is_kind(t, Kind::kForeign) && t.object()[1] == type; }
bool is_boolean(Term t) { return t == atoms::kTrue || t == atoms::kFalse; }

// Type tests.

Term is_atom_1(Call&, const Term* arguments) { return boolean(arguments[0].is_atom()); }
Term is_binary_1(Call&, const Term* arguments) { return boolean(is_binary(arguments[0])); }
Term is_bitstring_1(Call&, const Term* arguments) { return boolean(is_bitstring(arguments[0])); }
Term is_boolean_1(Call&, const Term* arguments) { return boolean(is_boolean(arguments[0])); }
Term is_float_1(Call&, const Term* arguments) { return boolean(is_float(arguments[0])); }
Term is_function_1(Call&, const Term* arguments) { return boolean(is_fun(arguments[0])); }
Term is_integer_1(Call&, const Term* arguments) { return boolean(is_integer(arguments[0])); }
// Since OTP 29.
Term is_integer_3(Call& call, const Term* arguments) {
  if (!is_integer(arguments[1]) || !is_integer(arguments[2])) return call.badarg();
  return boolean(is_integer(arguments[0]) && compare(call.names, arguments[1], arguments[0]) <= 0 &&
                 compare(call.names, arguments[0], arguments[2]) <= 0);
}
Term is_list_1(Call&, const Term* arguments) { return boolean(is_list(arguments[0])); }
Term is_map_1(Call&, const Term* arguments) { return boolean(is_map(arguments[0])); }
Term is_number_1(Call&, const Term* arguments) { return boolean(is_number(arguments[0])); }
Term is_pid_1(Call&, const Term* arguments) {
  return boolean(arguments[0].is_pid() || is_foreign(arguments[0], atoms::kPid));
}
Term is_port_1(Call&, const Term* arguments) {
  return boolean(arguments[0].is_port() || is_foreign(arguments[0], atoms::kPort));
}
Term is_reference_1(Call&, const Term* arguments) {
  return boolean(arguments[0].is_reference() || is_foreign(arguments[0], atoms::kReference));
}
Term is_tuple_1(Call&, const Term* arguments) { return boolean(is_tuple(arguments[0])); }

Term is_function_2(Call& call, const Term* arguments) {
  const Term arity = arguments[1];
  if (is_kind(arity, Kind::kPositiveBig)) return atoms::kFalse;
  if (!arity.is_small() || arity.small_value() < 0) return call.badarg();
  const Term fun = arguments[0];
  if (!is_fun(fun)) return atoms::kFalse;
  return boolean(fun.object()[is_kind(fun, Kind::kFun) ? 2 : 3] == arity);
}

Term is_record_1(Call&, const Term* arguments) { return boolean(is_native_record(arguments[0])); }

Term is_record_2(Call& call, const Term* arguments) {
  if (!arguments[1].is_atom()) return call.badarg();
  const Term t = arguments[0];
  if (is_native_record(t)) return boolean(defined_name(record_definition(t)) == arguments[1]);
  return boolean(is_tuple(t) && tuple_size(t) > 0 && element(t, 1) == arguments[1]);
}

Term is_record_3(Call& call, const Term* arguments) {
  const Term t = arguments[0];
  if (arguments[1].is_atom() && arguments[2].is_atom() && installed_release().has_native_records) {
    const Term definition = is_native_record(t) ? record_definition(t) : Term::none();
    return boolean(is_native_record(t) && defining_module(definition) == arguments[1] &&
                   defined_name(definition) == arguments[2]);
  }
  if (!arguments[1].is_atom() || !arguments[2].is_small()) return call.badarg();
  return boolean(is_tuple(t) && static_cast<std::int64_t>(tuple_size(t)) == arguments[2].small_value() &&
                 tuple_size(t) > 0 && element(t, 1) == arguments[1]);
}

// Comparisons.

Term equal_2(Call&, const Term* arguments) { return boolean(equal(arguments[0], arguments[1])); }
Term different_2(Call&, const Term* arguments) { return boolean(!equal(arguments[0], arguments[1])); }
Term exactly_equal_2(Call&, const Term* arguments) {
  return boolean(equal_exactly(arguments[0], arguments[1]));
}
Term exactly_different_2(Call&, const Term* arguments) {
  return boolean(!equal_exactly(arguments[0], arguments[1]));
}
// An answer that was found by comparing.
Term ordered(Call& call, Term answer) { return may_go_on(call) ? answer : Term::none(); }

Term less_2(Call& call, const Term* arguments) {
  return ordered(call, boolean(compare(call.names, arguments[0], arguments[1]) < 0));
}
Term at_most_2(Call& call, const Term* arguments) {
  return ordered(call, boolean(compare(call.names, arguments[0], arguments[1]) <= 0));
}
Term greater_2(Call& call, const Term* arguments) {
  return ordered(call, boolean(compare(call.names, arguments[0], arguments[1]) > 0));
}
Term at_least_2(Call& call, const Term* arguments) {
  return ordered(call, boolean(compare(call.names, arguments[0], arguments[1]) >= 0));
}

// Booleans.

Term and_2(Call& call, const Term* arguments) {
  if (!is_boolean(arguments[0]) || !is_boolean(arguments[1])) return call.badarg();
  return boolean(arguments[0] == atoms::kTrue && arguments[1] == atoms::kTrue);
}
Term or_2(Call& call, const Term* arguments) {
  if (!is_boolean(arguments[0]) || !is_boolean(arguments[1])) return call.badarg();
  return boolean(arguments[0] == atoms::kTrue || arguments[1] == atoms::kTrue);
}
Term xor_2(Call& call, const Term* arguments) {
  if (!is_boolean(arguments[0]) || !is_boolean(arguments[1])) return call.badarg();
  return boolean(arguments[0] != arguments[1]);
}
Term not_1(Call& call, const Term* arguments) {
  return is_boolean(arguments[0]) ? boolean(arguments[0] != atoms::kTrue) : call.badarg();
}

// What the libraries ask about representation.

// The order of map keys.
Term cmp_term_2(Call& call, const Term* arguments) {
  if (!may_show(call, std::span(arguments, 2), NameUse::kOrder)) return Term::none();
  return Term::small(compare_exactly(call.names, arguments[0], arguments[1]));
}

Term term_type_1(Call& call, const Term* arguments) {
  const Term t = arguments[0];
  if (t.is_small()) return call.atom("fixnum");
  if (t.is_atom()) return call.atom("atom");
  if (t.is_cons()) return call.atom("list");
  if (t.is_nil()) return call.atom("nil");
  if (t.is_pid()) return call.atom("pid");
  if (t.is_port()) return call.atom("port");
  if (t.is_reference()) return call.atom("reference");
  switch (kind_of(t.header())) {
    case Kind::kTuple: return call.atom("tuple");
    case Kind::kFlatMap: return call.atom("flatmap");
    case Kind::kHashMap: return call.atom("hashmap");
    case Kind::kPositiveBig:
    case Kind::kNegativeBig: return call.atom("bignum");
    case Kind::kFloat: return call.atom("hfloat");
    case Kind::kBytes:
    case Kind::kBitstring:  // by the content: saving a state turns views into bytes
      if (bit_size(t) % 8 != 0) return call.atom("sub_binary");
      return call.atom(bit_size(t) / 8 <= kHeapBinaryMax ? "heap_binary" : "refc_binary");
    case Kind::kFun: return call.atom("fun");
    case Kind::kExternalFun: return call.atom("export");
    case Kind::kHashNode: return call.atom("hashmap_node");
    case Kind::kForeign: return call.atom("external_" + std::string(call.names.atoms.text(t.object()[1])));
    case Kind::kNativeRecord: return call.atom("record");
    case Kind::kMatchContext:
    case Kind::kFrame: break;
  }
  return call.badarg();
}

Term flat_size_1(Call& call, const Term* arguments) {
  return call.heap.unsigned_integer(flat_size(arguments[0]));
}
Term size_shared_1(Call& call, const Term* arguments) {
  return call.heap.unsigned_integer(shared_size(arguments[0]));
}
Term copy_shared_2(Call& call, const Term* arguments) {
  const bool is_flag = arguments[1] == atoms::kTrue || arguments[1] == atoms::kFalse;
  return is_flag ? arguments[0] : call.badarg();
}

// Erlang functions until OTP 25, allowed in guards since OTP 26.
Term max_2(Call& call, const Term* arguments) {
  return ordered(call, compare(call.names, arguments[0], arguments[1]) >= 0 ? arguments[0] : arguments[1]);
}
Term min_2(Call& call, const Term* arguments) {
  return ordered(call, compare(call.names, arguments[0], arguments[1]) <= 0 ? arguments[0] : arguments[1]);
}

// Whether two terms are the same object. Stored terms are unique and a literal is always the same, but fresh
// equal terms may be two objects or one, depending on when a state was saved; only immediates and equality
// are reliable here.
Term same_2(Call&, const Term* arguments) { return boolean(equal_exactly(arguments[0], arguments[1])); }

constexpr auto kTermBuiltins = std::to_array<Builtin>({
    {"erlang", "/=", 2, Effect::kPure, different_2},
    {"erlang", "<", 2, Effect::kPure, less_2},
    {"erlang", "=/=", 2, Effect::kPure, exactly_different_2},
    {"erlang", "=:=", 2, Effect::kPure, exactly_equal_2},
    {"erlang", "=<", 2, Effect::kPure, at_most_2},
    {"erlang", "==", 2, Effect::kPure, equal_2},
    {"erlang", ">", 2, Effect::kPure, greater_2},
    {"erlang", ">=", 2, Effect::kPure, at_least_2},
    {"erlang", "and", 2, Effect::kPure, and_2},
    {"erlang", "is_atom", 1, Effect::kPure, is_atom_1},
    {"erlang", "is_binary", 1, Effect::kPure, is_binary_1},
    {"erlang", "is_bitstring", 1, Effect::kPure, is_bitstring_1},
    {"erlang", "is_boolean", 1, Effect::kPure, is_boolean_1},
    {"erlang", "is_float", 1, Effect::kPure, is_float_1},
    {"erlang", "is_function", 1, Effect::kPure, is_function_1},
    {"erlang", "is_function", 2, Effect::kPure, is_function_2},
    {"erlang", "is_integer", 1, Effect::kPure, is_integer_1},
    {"erlang", "is_integer", 3, Effect::kPure, is_integer_3},
    {"erlang", "is_list", 1, Effect::kPure, is_list_1},
    {"erlang", "is_map", 1, Effect::kPure, is_map_1},
    {"erlang", "is_number", 1, Effect::kPure, is_number_1},
    {"erlang", "is_pid", 1, Effect::kPure, is_pid_1},
    {"erlang", "is_port", 1, Effect::kPure, is_port_1},
    {"erlang", "is_record", 1, Effect::kPure, is_record_1},
    {"erlang", "is_record", 2, Effect::kPure, is_record_2},
    {"erlang", "is_record", 3, Effect::kPure, is_record_3},
    {"erlang", "is_reference", 1, Effect::kPure, is_reference_1},
    {"erlang", "is_tuple", 1, Effect::kPure, is_tuple_1},
    {"erlang", "max", 2, Effect::kPure, max_2},
    {"erlang", "min", 2, Effect::kPure, min_2},
    {"erlang", "not", 1, Effect::kPure, not_1},
    {"erlang", "or", 2, Effect::kPure, or_2},
    {"erlang", "xor", 2, Effect::kPure, xor_2},
    {"erts_debug", "copy_shared", 2, Effect::kPure, copy_shared_2},
    {"erts_debug", "flat_size", 1, Effect::kPure, flat_size_1},
    {"erts_debug", "same", 2, Effect::kPure, same_2},
    {"erts_debug", "size_shared", 1, Effect::kPure, size_shared_1},
    {"erts_internal", "cmp_term", 2, Effect::kPure, cmp_term_2},
    {"erts_internal", "term_type", 1, Effect::kPure, term_type_1},
});
static_assert(std::ranges::is_sorted(kTermBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> term_builtins() { return kTermBuiltins; }

}  // namespace ravel::erlang
