#pragma once

namespace ravel::threads {

// Where standard error was: high enough to be none of those that a program sees when it opens its first files.
inline constexpr int kMessageDescriptor = 511;

// From now on failed checks are told where standard error is now.
void keep_standard_error();

}  // namespace ravel::threads
