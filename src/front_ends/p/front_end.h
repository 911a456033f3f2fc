// Programs in P: `.p` files, or a project (`.pproj`).
#pragma once

#include "check/front_end.h"

namespace ravel::p {

const FrontEnd& p_front_end();

}  // namespace ravel::p
