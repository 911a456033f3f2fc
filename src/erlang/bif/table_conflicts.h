// Whether what two operations did with the rows of tables can make a difference to the order in which they
// come.
//
//   read     against a change of its key
//   insert   against the insertion of another row with its key
//   change   against everything that concerns its key
//   select   against what put in or took away a row that fits
//   order    against what made a key come or go, within its bounds
//   all      against every insertion and change
//
// It never misses a conflict; it may see one where results happen to agree.
#pragma once

#include <span>

#include "erlang/machine/machine.h"
#include "erlang/machine/table_touch.h"

namespace ravel::erlang {

// An insertion that finds its own row owes that to another insertion of it, with which it commutes; so
// whichever came first, both are taken to have found what the first of them has: gives that to `insertion`.
// `earlier` are the touches of this execution before it, the oldest first.
void settle_repeated_insertion(TableTouch& insertion, std::span<const TableTouch> earlier);

// The terms of both must be alive. Allocates in the nursery what the guards of specifications make.
bool table_touches_conflict(Machine& machine, const TableTouch& a, const TableTouch& b);

// Whether the touches of two operations conflict.
bool table_touches_conflict(Machine& machine, std::span<const TableTouch> a, std::span<const TableTouch> b);

}  // namespace ravel::erlang
