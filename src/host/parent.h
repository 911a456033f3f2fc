// For a process that works for another one.
#pragma once

namespace ravel {

// From now on the end of the process that has started this one is to it what Ctrl-C is.
void end_with_parent();

}  // namespace ravel
