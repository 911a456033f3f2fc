// A machine with a program's modules, on which Erlang/OTP's system and the program's applications are at
// rest: one that an earlier test has left (resting_machines.h), or a new one.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "erlang/machine/machine.h"
#include "erlang/system/erlang_options.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

// For what goes wrong while applications start.
inline constexpr std::string_view kNoStartHint =
    "(The project's application runs before its tests, as with mix test; --no-start leaves it out.)";

struct StartedMachine {
  std::unique_ptr<Machine> machine;
  bool is_at_rest = false;  // else the start has met what is refused, which Machine::faults says
};

// An error: a module that cannot be loaded, or that an option names and nobody finds; a start that does not
// come to rest.
Result<StartedMachine> start_machine(Program& program, const ErlangOptions& options);

}  // namespace ravel::erlang
