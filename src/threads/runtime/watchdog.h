// Ends executions in which a thread computes for ever: no schedule can help there, and without an end the
// search would have none.
//
// A timer counts the processor's time. A thread that has had some seconds of it within one step is given up
// where it is, with a bug of the kind no_progress. A thread that waits in a system call has none: another
// timer goes by real time, and a call that has not come back after some seconds is refused, since what it
// waits for is not under control. Only executions that would hang depend on these clocks.

#pragma once

#include <cstdint>

namespace ravel::threads {

// REQUIRES: catch_faults() was called. To be called again in a child process, which inherits no timer.
void start_watchdog();

// Whether that is a place in the runtime.
bool is_own_code(std::uint64_t pc);

}  // namespace ravel::threads
