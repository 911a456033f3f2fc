// The module records, and what tests for native records (native_record.h).
#include <array>
#include <vector>

#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/native_records.h"
#include "erlang/term/map.h"
#include "erlang/term/native_record.h"

namespace ravel::erlang {

namespace {

// records:create(Module, Name, [{Field, Value}], #{is_exported => Exported}): whether the module defines such
// a record does not matter.
Term create_4(Call& call, const Term* arguments) {
  const Term module = arguments[0], name = arguments[1], options = arguments[3];
  if (!module.is_atom() || !name.is_atom()) return fail_with_badrecord(call, name);
  if (!is_map(options)) return call.badmap(options);
  const Term is_exported = map_get(call.names, options, atoms::kIsExported);
  const bool is_known = is_exported == atoms::kTrue || is_exported == atoms::kFalse;
  if (map_size(options) != 1 || !is_known) return call.badarg();
  std::vector<Term> definition = {module, name, is_exported};
  std::vector<Term> values;
  Term rest = arguments[2];
  for (Term checked = rest; !checked.is_nil(); checked = checked.tail())
    if (!checked.is_cons()) return call.badarg();
  for (; rest.is_cons(); rest = rest.tail()) {
    if (!is_tuple_of(rest.head(), 2)) return call.badarg();
    const Term field = element(rest.head(), 1);
    if (!field.is_atom())
      return fail_with_badfield(call, call.heap.tuple({module, name, is_exported}), field);
    definition.push_back(field);
    values.push_back(element(rest.head(), 2));
  }
  for (std::size_t i = kDefinitionHead; i < definition.size(); ++i)
    for (std::size_t k = kDefinitionHead; k < i; ++k)
      if (definition[i] == definition[k]) return call.badarg();
  return make_native_record(call.heap, call.heap.tuple(definition), values);
}

// records:update(Record, Module, Name, #{Field => Value}).
Term update_4(Call& call, const Term* arguments) {
  const Term record = arguments[0], module = arguments[1], name = arguments[2], changes = arguments[3];
  if (!is_native_record(record)) return fail_with_badrecord(call, record);
  const Term definition = record_definition(record);
  if (name != atoms::kUnderscore &&
      (defining_module(definition) != module || defined_name(definition) != name))
    return fail_with_badrecord(call, name);
  if (!is_map(changes)) return call.badmap(changes);
  if (map_size(changes) == 0) return record;
  std::vector<Term> pairs;
  for (MapIterator iterator(changes); iterator.next();)
    pairs.insert(pairs.end(), {iterator.key(), iterator.value()});
  return update_record(call, record, pairs);
}

Term get_2(Call& call, const Term* arguments) {
  if (!is_native_record(arguments[1]) || !arguments[0].is_atom()) return call.badarg();
  const auto field = find_field(record_definition(arguments[1]), arguments[0]);
  return field ? record_values(arguments[1])[*field] : call.badarg();
}

Term get_module_1(Call& call, const Term* arguments) {
  return is_native_record(arguments[0]) ? defining_module(record_definition(arguments[0])) : call.badarg();
}
Term get_name_1(Call& call, const Term* arguments) {
  return is_native_record(arguments[0]) ? defined_name(record_definition(arguments[0])) : call.badarg();
}

Term get_field_names_1(Call& call, const Term* arguments) {
  if (!is_native_record(arguments[0])) return fail_with_badrecord(call, arguments[0]);
  return call.heap.list(defined_fields(record_definition(arguments[0])));
}

Term is_exported_1(Call& call, const Term* arguments) {
  if (!is_native_record(arguments[0])) return fail_with_badrecord(call, arguments[0]);
  return atoms::boolean(is_exported_definition(record_definition(arguments[0])));
}

// {#{is_exported => Exported}, [Field or {Field, Default}]}.
Term get_definition_2(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom() || !arguments[1].is_atom()) return call.badarg();
  const Module* module = call.machine.code.find_module(arguments[0]);
  if (module == nullptr) return call.badarg();
  for (const RecordDefinition& record : module->records) {
    if (record.name != arguments[1]) continue;
    std::vector<Term> entries;
    const auto fields = defined_fields(record.definition);
    for (std::size_t i = 0; i < fields.size(); ++i)
      entries.push_back(record.defaults[i].is_none() ? fields[i]
                                                     : call.heap.tuple({fields[i], record.defaults[i]}));
    const Term options[] = {atoms::kIsExported, element(record.definition, 3)};
    return call.heap.tuple({map_from_pairs(call.heap, call.names, options), call.heap.list(entries)});
  }
  return call.badarg();
}

constexpr auto kRecordBuiltins = std::to_array<Builtin>({
    {"records", "create", 4, Effect::kPure, create_4},
    {"records", "get", 2, Effect::kPure, get_2},
    {"records", "get_definition", 2, Effect::kPure, get_definition_2},
    {"records", "get_field_names", 1, Effect::kPure, get_field_names_1},
    {"records", "get_module", 1, Effect::kPure, get_module_1},
    {"records", "get_name", 1, Effect::kPure, get_name_1},
    {"records", "is_exported", 1, Effect::kPure, is_exported_1},
    {"records", "update", 4, Effect::kPure, update_4},
});
static_assert(std::ranges::is_sorted(kRecordBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> record_builtins() { return kRecordBuiltins; }

}  // namespace ravel::erlang
