// Libraries whose threads are made and wait for each other inside of them, where nothing is under control.

#pragma once

namespace ravel::threads {

// Why the program cannot be run, by the functions that it takes from its libraries; null if it can.
const char* find_uncontrolled_library();

}  // namespace ravel::threads
