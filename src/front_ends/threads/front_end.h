// Programs of C and C++ with threads: executables that were built with ravel-c++ or ravel-cc.
#pragma once

#include "check/front_end.h"

namespace ravel::threads {

const FrontEnd& threads_front_end();

}  // namespace ravel::threads
