// Faults: first writes to watched pages are taken note of; any other one is a bug of the running thread.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "threads/protocol/operation.h"

namespace ravel::threads {

// What a trap tells that was put after a message of a test library; nothing if it is to be passed over.
using TrapReader = std::optional<RawBug> (*)();

// Called in a signal handler: when it returns, the running thread has been given up with this bug.
void give_up(RawBug bug, void* context);
// Gives the running thread up because what it does at `pc` is refused.
void give_up(std::string refusal, std::uint64_t pc, void* context);

// REQUIRES: called once, in the main thread.
void catch_faults(TrapReader reader);

}  // namespace ravel::threads
