#pragma once

namespace ravel::threads {

// From now on failed checks are told where standard error is now.
void keep_standard_error();

}  // namespace ravel::threads
