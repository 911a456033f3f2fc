// What was registered for the end of the process before main() began.

#pragma once

#include <vector>

#include "threads/runtime/thread.h"

namespace ravel::threads {

// `registered` without the destructors of objects of GNU's C++ library itself: nobody can tell that they ran,
// but each execution would write, and put back, what they write. The one that flushes the standard streams
// remains.
std::vector<AtThreadEnd> without_library_objects(const std::vector<AtThreadEnd>& registered);

}  // namespace ravel::threads
