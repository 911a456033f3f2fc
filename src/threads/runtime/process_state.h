// What belongs to the process and lies in no memory of the program: the working folder, the mask for new
// files, and how numbers are rounded, which all threads of the program share here.

#pragma once

namespace ravel::threads {

// REQUIRES: called once, before the program runs.
void note_process_state();
void restore_process_state();

}  // namespace ravel::threads
