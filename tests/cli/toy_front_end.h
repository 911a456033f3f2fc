// A third front end, to see what one needs: programs of the toy System (tests/toy), a file each.
//
// A line of the file is an actor, a word an operation and its counter: "give0 take0 require1". The option
// --end-early makes each actor's last operation end the execution.
#pragma once

#include "check/front_end.h"

namespace ravel::toy {

const FrontEnd& toy_front_end();

}  // namespace ravel::toy
