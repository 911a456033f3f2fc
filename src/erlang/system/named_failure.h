// The reasons of exceptions, as they are told: what EUnit has a name for, and without what differs between
// schedules.
#pragma once

#include <optional>
#include <string>

#include "erlang/machine/process.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// What EUnit has a name for, as src/erlang/lib/ravel_eunit.erl raises it: a fixture's setup that fails, a bad
// generator.
struct NamedFailure {
  std::string name;                  // empty: an ordinary exception
  Term reason;                       // of the exception behind it, or what is bad
  std::optional<ErrorClass> behind;  // nothing: no exception
};

NamedFailure named_failure(const Names& names, Term reason, ErrorClass error_class);

// {Reason, StackTrace} without the trace, whose lines would change with every edit of the program.
Term without_trace(Term reason);

}  // namespace ravel::erlang
