// What programs under test read: each process, and in it each execution, from the beginning.
//
// A file is opened again for each process. What comes through a pipe is kept in memory first, if the program asks for its standard input
// by name; else nobody need wait for the end of the pipe. A terminal is not read.

#pragma once

#include <string>

namespace ravel::threads {

// Reads what has to be kept; `reads_input`: whether the program names its standard input. REQUIRES: called before a process is made.
void keep_standard_input(bool reads_input);
// In the new process: its descriptor 0.
void give_standard_input();

}  // namespace ravel::threads
