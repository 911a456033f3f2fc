// Where a debugger stops: called in the thread that fails, on its own stack, before it is given up.

#pragma once

#include "threads/runtime/export.h"

namespace ravel::threads {

RAVEL_EXPORT void ravel_failing_point();

}  // namespace ravel::threads
