// ravel profile: how often each variable of a test is accessed, and by how many threads.
#pragma once

#include "check/front_end.h"

namespace ravel::threads {

OwnCommand profile_command();

}  // namespace ravel::threads
