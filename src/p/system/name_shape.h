// Where the names of machines lie in a value (states/name_shape.h): a part of a tuple, an element of a seq;
// sets and maps lie in the order of names.
//
// Cost: a walk over the value.

#pragma once

#include "p/machine/machine_names.h"
#include "p/value/value.h"
#include "states/name_shape.h"

namespace ravel::p {

// Names are indices of `names`.
NameShape shape_of(Value value, const MachineNames& names);

}  // namespace ravel::p
