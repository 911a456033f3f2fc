// The event of a step as a term, for monitors of properties: a map (docs/guide/properties.md lists the keys).
#pragma once

#include "erlang/term/term.h"

namespace ravel::erlang {

class Machine;

// Of the last step. Young.
Term event_term(Machine& machine);

}  // namespace ravel::erlang
