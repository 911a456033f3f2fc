// Which of our rows the installed Erlang/OTP has as built-ins: what it writes in Erlang is run as it is
// written there, and a row that is of another release is not compared.
#pragma once

#include <algorithm>
#include <vector>

#include "erlang/bif/builtins.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

// REQUIRES: the installed release has been set (is_erl_installed()).
inline bool is_builtin_here(const Builtin::Key& key) {
  static const std::vector<Builtin> here = builtins_of(installed_release());
  return std::ranges::find(here, key, &Builtin::key) != here.end();
}

}  // namespace ravel::erlang
