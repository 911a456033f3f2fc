// What the instructions for native records do. Each notes an exception and returns none if it fails.
#pragma once

#include <span>

#include "erlang/machine/builtin.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Which definitions count: any, or only those that other modules may use.
enum class RecordScope : std::uint8_t { kOwn, kExported };

// `id` is {Module, Name}; `pairs` are field, value, field, value, ...
Term create_record(Call& call, Term id, RecordScope scope, std::span<const Term> pairs);
// REQUIRES: is_native_record(record).
Term update_record(Call& call, Term record, std::span<const Term> pairs);
// `id`: a name, `_` for any, or {Module, Name} of an exported one.
Term get_record_field(Call& call, Term record, Term id, Term field);

// error({badfield, {{Module, Name}, Field}}), error({badrecord, Value}).
Term fail_with_badfield(Call& call, Term definition, Term field);
Term fail_with_badrecord(Call& call, Term value);

}  // namespace ravel::erlang
