// The files that a program of Erlang or Elixir is made of, as another machine needs them to run it.
#pragma once

#include <string>
#include <vector>

#include "erlang/system/program.h"

namespace ravel::erlang {

// Those that were named, with what their sources include, and what lies in the folders of -I (.hrl) and --pa
// (.beam, .app), but for what is installed with Erlang/OTP.
std::vector<std::string> portable_files(const Program& program);

}  // namespace ravel::erlang
