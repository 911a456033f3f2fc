// What handlers must be: how many parameters they have, and that these take what events carry.

#pragma once

#include "p/checker/context.h"

namespace ravel::p {

// Also notes in actions where a payload is unwrapped.
void check_machines(Context& context);

}  // namespace ravel::p
