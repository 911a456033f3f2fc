// Constructors of the program's global variables.
//
// They run before main(), and what they leave behind is the initial state of all executions. Threads can be
// no part of that state: a program whose constructors make one is started once more, with its constructors
// left to each execution, where they run in the main thread, in front of main() or a test. That costs each
// execution their time, so others are spared it.

#pragma once

namespace ravel::threads {

using Initializer = void (*)();

// What the C library is to run in front of main(), instead of `init`; null: what it finds. REQUIRES: called
// once, before it does that.
Initializer before_main(Initializer init, char** argv);
bool executions_run_constructors();
// REQUIRES: executions_run_constructors().
void run_constructors(int argc, char** argv, char** environment);
// Starts the program again, with its constructors left to each execution. Returns if the constructor that
// runs is one of a library, which the loader calls.
void leave_constructors_to_executions();

}  // namespace ravel::threads
