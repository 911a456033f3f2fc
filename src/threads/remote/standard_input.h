// What programs under test read: each process, and in it each execution, from the beginning.
//
// A file is opened again for each process. What comes through a pipe is kept in memory first, if the program asks for its
// standard input by name; else nobody need wait for the end of the pipe. A terminal is not read.

#pragma once

#include <string>
#include <string_view>

namespace ravel::threads {

// Reads what has to be kept; `reads_input`: whether the program names its standard input. REQUIRES: called before a process is
// made.
void keep_standard_input(bool reads_input);
// In the new process: its descriptor 0.
void give_standard_input();

// From now on programs read this, whatever the command was given.
void set_standard_input(std::string_view bytes);
// All that they read; empty, too, if there is nothing to be read. Valid until the input is set.
std::string_view standard_input();
// Whoever opens this file reads the same, as long as this process lives and the input is not set again.
// REQUIRES: it was set.
std::string standard_input_file();

}  // namespace ravel::threads
