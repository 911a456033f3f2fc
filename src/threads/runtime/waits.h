// What a thread that cannot go on waits for, and for whom.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "threads/runtime/thread.h"

namespace ravel::threads {

// The place of a program counter, found by its callers if they are known: it may itself be in a header of the
// system. A mark of RawBug.
std::string place_mark(std::uint64_t pc, const std::vector<std::uint64_t>& stack);

// "waits to lock $A1234;, held by ...", with marks of RawBug. REQUIRES: it waits before an operation, and
// cannot go on.
std::string waits_for(const Thread& thread);

// Who has what it waits for, or is waited for.
std::vector<const Thread*> waited_for_by(const Thread& thread);

}  // namespace ravel::threads
