#include "erlang/machine/native_records.h"

#include <algorithm>
#include <vector>

#include "erlang/machine/machine.h"
#include "erlang/term/native_record.h"

namespace ravel::erlang {

namespace {

Term fail_with_field(Call& call, Term reason, Term definition, Term field) {
  const Term id = call.heap.tuple({defining_module(definition), defined_name(definition)});
  return call.raise(ErrorClass::kError, call.heap.tuple({reason, call.heap.tuple({id, field})}));
}

// The definition of a record in the module as it is now; null if there is none.
const RecordDefinition* find_definition(Call& call, Term module, Term name) {
  const Module* defining = call.machine.code.find_module(module);
  if (defining == nullptr) return nullptr;
  const auto found = std::ranges::find(defining->records, name, &RecordDefinition::name);
  return found == defining->records.end() ? nullptr : &*found;
}

// False: a field that the definition does not have, which is noted.
bool set_fields(Call& call, Term definition, std::span<const Term> pairs, std::vector<Term>& values) {
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const auto field = find_field(definition, pairs[i]);
    if (!field) {
      fail_with_badfield(call, definition, pairs[i]);
      return false;
    }
    values[*field] = pairs[i + 1];
  }
  return true;
}

}  // namespace

Term fail_with_badfield(Call& call, Term definition, Term field) {
  return fail_with_field(call, atoms::kBadfield, definition, field);
}
Term fail_with_badrecord(Call& call, Term value) {
  return call.raise(ErrorClass::kError, call.heap.tuple({atoms::kBadrecord, value}));
}

Term create_record(Call& call, Term id, RecordScope scope, std::span<const Term> pairs) {
  const RecordDefinition* found = find_definition(call, element(id, 1), element(id, 2));
  if (found == nullptr || (scope == RecordScope::kExported && !is_exported_definition(found->definition)))
    return fail_with_badrecord(call, id);
  std::vector<Term> values = found->defaults;
  if (!set_fields(call, found->definition, pairs, values)) return Term::none();
  const auto missing = std::ranges::find(values, Term::none());
  if (missing == values.end()) return make_native_record(call.heap, found->definition, values);
  return fail_with_field(
      call, atoms::kNovalue, found->definition,
      defined_fields(found->definition)[static_cast<std::size_t>(missing - values.begin())]);
}

Term update_record(Call& call, Term record, std::span<const Term> pairs) {
  const Term definition = record_definition(record);
  const auto old = record_values(record);
  std::vector<Term> values(old.begin(), old.end());
  return set_fields(call, definition, pairs, values) ? make_native_record(call.heap, definition, values)
                                                     : Term::none();
}

Term get_record_field(Call& call, Term record, Term id, Term field) {
  if (!is_native_record(record)) return fail_with_badrecord(call, record);
  const Term definition = record_definition(record);
  const bool fits = id.is_atom() ? id == atoms::kUnderscore || id == defined_name(definition)
                                 : is_exported_definition(definition) &&
                                       element(id, 1) == defining_module(definition) &&
                                       element(id, 2) == defined_name(definition);
  if (!fits) return fail_with_badrecord(call, record);
  const auto found = find_field(definition, field);
  return found ? record_values(record)[*found] : fail_with_badfield(call, definition, field);
}

}  // namespace ravel::erlang
