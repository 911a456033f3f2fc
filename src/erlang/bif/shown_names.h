// Whether a built-in may show what processes are called (machine/opaque_names.h). Where no names are watched
// the machine is not looked at.
#pragma once

#include <span>

#include "erlang/machine/builtin.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

inline bool may_show(Call& call, Term term, NameUse use) {
  return !call.names.uses.are_watched() || call.machine.opaque_names.may_use(term, use);
}
inline bool may_show(Call& call, std::span<const Term> terms, NameUse use) {
  return !call.names.uses.are_watched() || call.machine.opaque_names.may_use(terms, use);
}
// The order of a map's keys.
inline bool may_list(Call& call, Term map) {
  return !call.names.uses.are_watched() || call.machine.opaque_names.may_list(map);
}
// After a comparison of terms.
inline bool may_go_on(Call& call) {
  return !call.names.uses.are_watched() || call.machine.opaque_names.may_go_on();
}

}  // namespace ravel::erlang
