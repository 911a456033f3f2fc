#include "erlang/system/start_machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "erlang/bif/builtins.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

// Where in a test_helper.exs (elixir_installation.cc) a process is.
std::optional<std::uint32_t> line_of_helper(const Machine& machine) {
  for (const Process* process : machine.processes.all())
    for (const CodeWord* const place : machine.traces.places_of(*process)) {
      const CodePlace found = machine.code.describe_place(place);
      if (found.module != nullptr && found.line != 0 &&
          machine.names.atoms.text(found.module->name).starts_with("ravel_exunit_helper_"))
        return found.line;
    }
  return std::nullopt;
}

// The program's modules, and all that options name.
Status load_modules(Machine& machine, const Program& program, const MachineOptions& options) {
  for (const ProgramModule& module : program.modules())
    if (auto loaded = machine.code.load_module(module.bytes, module.file); !loaded) return loaded.error();
  const auto find = [&](const std::string& module) {
    return machine.code.find_module(machine.names.atoms.intern(module)) != nullptr;
  };
  constexpr const char* kNameIt = ". Name its file, or its folder with --pa.";
  for (const std::string& module : options.atomic_modules)
    if (!find(module)) return Error{"--atomic " + module + ": there is no module " + module + kNameIt};
  for (const auto& [replaced, stub] : options.stubs)
    if (!find(stub))
      return Error{"--stub " + replaced + "=" + stub + ": there is no module " + stub + kNameIt};
  return Success{};
}

// A new one. It is not at rest if the program's applications do what is refused.
Result<StartedMachine> make_machine(Program& program, const MachineOptions& options) {
  auto machine = std::make_unique<Machine>(options, program, builtins_of(installed_release()));
  Machine& m = *machine;
  if (Status loaded = load_modules(m, program, options); !loaded) return loaded.error();
  const char* const boot = program.has_elixir()   ? "boot_with_elixir"
                           : program.has_suites() ? "boot_with_suites"
                                                  : "boot";
  const Status started = m.start_system(m.names.atoms.intern("ravel_init"), m.names.atoms.intern(boot));
  if (started) return StartedMachine{.machine = std::move(machine), .is_at_rest = true};
  if (m.faults.current().kind != MachineFault::Kind::kUnsupported) {
    const std::string hint = program.applications().empty() ? "" : " " + std::string(kNoStartHint);
    return Error{started.error().message + hint};
  }
  const auto line = line_of_helper(m);
  if (!line || !program.leave_out_of_helper(*line, m.faults.current().message))
    return StartedMachine{.machine = std::move(machine), .is_at_rest = false};
  machine.reset();
  return make_machine(program, options);
}

}  // namespace

Result<StartedMachine> start_machine(Program& program, const ErlangOptions& options) {
  StartedMachine started{.machine = program.resting_machines().take(options.machine), .is_at_rest = true};
  if (started.machine == nullptr) {
    auto made = make_machine(program, options.machine);
    if (!made) return made.error();
    started = std::move(*made);
  }
  if (!started.is_at_rest) return started;
  Device& device = started.machine->device;
  device.on_output = options.on_output;
  if (const std::string printed = device.output(); options.on_output && !printed.empty())
    options.on_output(printed);
  return started;
}

}  // namespace ravel::erlang
