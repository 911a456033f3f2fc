// A machine at rest as one value, and back: equal machines have equal images.
//
// An image is a tuple: numbers (phase, state, place in the code, ...), the payload that is carried from one
// state to another, then fields, queue, stack and frames, which neighbouring states share. A queue is a seq,
// so that a long one shares all but its end with the one before.

#pragma once

#include "p/machine/live_machine.h"

namespace ravel::p {

Value image_of(const LiveMachine& live, ValueStore& store);
// REQUIRES: an image that image_of() has made.
void thaw(Value image, LiveMachine& live);

}  // namespace ravel::p
