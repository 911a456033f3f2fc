// Calls of the runtime that begin on a clean stack, for searches by states.
//
// What functions that have returned left on the stack comes to lie in the gaps of the next frames, so that
// equal states look different: how much depends on how the compiler has laid out the frames of the runtime.
// So at its beginning each function that the program calls here clears what lies below its frame.
//
// The idea: such functions begin with five bytes that do nothing (export.h). In the place of these a call is
// put while states count, and taken away afterwards.
//
// 1. Nothing that anybody still reads is cleared: below the stack pointer of a function that has just been
//    called there is nothing. Stacks that the program has made itself elsewhere than on a thread's stack are
//    left alone, since what lies below them may be other memory.
// 2. No register is changed in which an argument may be.
//
// What the program's own functions leave in their registers and in gaps of their frames is not cleared.
//
// Cost: 64 stores a call, while they are on.
#pragma once

namespace ravel::threads {

// REQUIRES: no other thread of the process runs code of the runtime. Where the system does not let a process
// change its code, calls stay as they are: more states look different than are.
void set_clean_entries(bool are_clean);

}  // namespace ravel::threads
