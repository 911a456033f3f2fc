// A trace for readers: one actor after the other, one line an event.
//
//   P
//     1  spawns P.1
//     2  sends P#1 = {val,1} to P.1        figure_1.erl:19
//   P.1
//     1  receives P#1, under {val, M} when M > 0; error

#pragma once

#include <string>

#include "engine/trace.h"
#include "report/text.h"

namespace ravel {

std::string describe_trace(const Trace& trace, Colour colour);

}  // namespace ravel
