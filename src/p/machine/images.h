// A machine at rest as one value, and back: equal machines have equal images.
//
// An image is a tuple of four: its control, a tuple of numbers (phase, state, place in the code, ...); its
// fields; its queue; and of a handler that runs the activation, a tuple of the payload that is carried from
// one state to another, frames and stack. Neighbouring states share most of them: of controls there are few
// at all. The machine's own name is no part of it: whoever keeps images knows whose they are. A queue is a
// seq, so that a long one shares all but its end with the one before.
//
// Cost: a look-up in the store for each part that is not as in the image before, and one for the whole.

#pragma once

#include "p/machine/live_machine.h"

namespace ravel::p {

// `before`: an image of the machine that is still stored, for the parts that have not changed; or none.
Value image_of(const LiveMachine& live, ValueStore& store, Value before = Value::none());
// All but LiveMachine::number. REQUIRES: an image that image_of() has made.
void thaw(Value image, LiveMachine& live);

}  // namespace ravel::p
