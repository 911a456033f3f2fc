// What the installed Erlang compiler can still do.
#pragma once

#include <cstdlib>
#include <string>

#include "erlang/system/temporary_folder.h"

namespace ravel::erlang {

// Whether it takes these options ("[r22]": for OTP 22), which newer ones refuse.
inline bool is_known_to_compiler(const std::string& options) {
  const auto folder = TemporaryFolder::make();
  return folder.ok() && std::system(("cd " + folder->path() +
                                     " && echo '-module(known).' >known.erl && ERL_COMPILER_OPTIONS='" +
                                     options + "' erlc known.erl >/dev/null 2>&1")
                                        .c_str()) == 0;
}

}  // namespace ravel::erlang
