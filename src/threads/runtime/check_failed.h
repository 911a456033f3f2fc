#pragma once

namespace ravel::threads {

// Where standard error was: high enough to be none of those that a program sees when it opens its first
// files.
inline constexpr int kMessageDescriptor = 511;

// From now on failed checks, and what cannot be controlled, are told where standard error is now.
void keep_standard_error();

// Ends the process before its first execution: the program does what is not under control. The message is all
// that the user sees.
[[noreturn]] void refuse_to_start(const char* message);

}  // namespace ravel::threads
