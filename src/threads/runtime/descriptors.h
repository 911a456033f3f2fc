// Files that an execution opens, and standard input: the next execution finds the same descriptors, and reads
// the input anew.
//
// The idea: what may open, copy or close a descriptor takes note that it was called. Only then are
// descriptors put back: those that were open at the start are copied back, all others are closed. What is in
// files is another matter (runtime/overlay.h).

#pragma once

namespace ravel::threads {

// REQUIRES: called once, before the program runs.
void note_descriptors_of_start();
void restore_descriptors();
// Makes a descriptor one of the runtime's own, which the program's calls leave alone. REQUIRES: called before
// the program runs.
void keep_descriptor(int file);

// For copies of the process. REQUIRES for both: between executions, or in one that this process does not go
// on with.

// Gives a descriptor of the runtime another number, where the program's calls leave it alone.
int hide_descriptor(int file);
// In a copy: from now on `output` is what was the output, and files that are open from the start are read at
// places of its own. False: the system does not let it.
bool separate_descriptors(int old_output, int output);

}  // namespace ravel::threads
