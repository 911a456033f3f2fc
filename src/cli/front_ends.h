// The table of front ends that the command line has.
#pragma once

#include "check/front_end.h"

namespace ravel {

const FrontEnds& front_ends();

}  // namespace ravel
