// The options that a module carries in its attributes, as the command line would write them.
//
// -ravel_options([...]) holds our own options, by their long names with _ for -. -concuerror_options([...])
// and -concuerror_options_forced([...]) are those of Concuerror: what changes which errors there are is
// translated, what only concerns its own output and algorithms is left out, and what we have no counterpart
// for is an error.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

struct ModuleOptions {
  std::vector<std::string> defaults;  // which the command line can override
  std::vector<std::string> forced;    // which it can't

  bool empty() const { return defaults.empty() && forced.empty(); }
};

Result<ModuleOptions> module_options(const ProgramModule& module);

}  // namespace ravel::erlang
