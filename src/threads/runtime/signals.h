// Faults: first writes to watched pages are taken note of; any other one is a bug of the running thread.

#pragma once

namespace ravel::threads {

// REQUIRES: called once, in the main thread.
void catch_faults();

}  // namespace ravel::threads
