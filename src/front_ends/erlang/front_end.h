// Programs of Erlang and Elixir: source and .beam files, or the project of a folder.
#pragma once

#include "check/front_end.h"

namespace ravel::erlang {

const FrontEnd& erlang_front_end();

}  // namespace ravel::erlang
