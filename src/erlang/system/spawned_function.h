// What a process was started for. Processes that proc_lib starts all begin with proc_lib:init_p/5 or /3;
// readers want to know what these call, and of a behaviour whose callbacks it runs.
#pragma once

#include <cstdint>
#include <string_view>

#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

struct SpawnedFunction {
  Term fun = Term::none();  // if it is one; otherwise:
  Term module = Term::none(), function = Term::none();
  std::uint32_t arity = 0;
  std::string_view behaviour = {};  // "gen_server" of its callback init/1
};

// The function of the arguments of spawn/3 and its like. `module` and `function` are as they were given if
// they mean nothing special.
SpawnedFunction spawned_function(const Names& names, Term module, Term function, Term arguments);

}  // namespace ravel::erlang
