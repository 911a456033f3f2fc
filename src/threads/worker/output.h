// What the program under test prints: its standard output and error go to a file in memory.

#pragma once

#include <string>

namespace ravel::threads {

// REQUIRES: called once, before the program runs.
void prepare_files();

// Called at the start of an execution of which the output is wanted.
void rewind_files();
// In a copy of this process: its output is its own from now on. False: the system does not let it.
bool separate_files();
// What has been printed since rewind_files().
std::string read_output();
// What has been printed since rewind_files(), without what this function has returned before.
std::string take_new_output();
// What was printed since the execution began; REQUIRES: note_beginning_of_execution() is called at the
// beginning of each.
void note_beginning_of_execution();
std::string output_of_execution();
// A search wants nothing of what its executions print, which must not fill the memory.
void drop_long_output();

}  // namespace ravel::threads
