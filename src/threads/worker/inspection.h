// What threads wait for, hold and are in the middle of, between two steps.

#pragma once

#include "threads/protocol/inspection.h"

namespace ravel::threads {

// Of the present state of the execution, which does not change.
Inspection inspection(const InspectionOrder& order);

}  // namespace ravel::threads
