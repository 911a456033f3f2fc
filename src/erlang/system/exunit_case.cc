#include "erlang/system/exunit_case.h"

#include "erlang/system/erlang_system.h"
#include "erlang/system/test_runners.h"

namespace ravel::erlang {

Result<std::vector<TestCase>> list_exunit_tests(Program& program, const TestName& name,
                                                const MachineOptions& machine_options) {
  ErlangOptions options;
  options.machine = machine_options;
  options.on_output = [](std::string_view) {};  // for whoever runs the tests
  if (options.machine.time == TimePolicy::kAny) options.machine.time = TimePolicy::kDeadlines;
  const auto system = ErlangSystem::start_call(
      program, EntryCall{.module = kExunitRunner, .function = "list", .argument = name}, options);
  if (!system) return system.error();
  // The system does not even start, which each test will tell.
  if ((*system)->outcome() == Outcome::kUnsupported) {
    if (!name.is_exunit_case()) return std::vector<TestCase>{{.name = name}};
    std::vector<TestCase> exported;
    for (const TestName& test : program.exported_exunit_tests(name.module))
      exported.push_back({.name = test});
    return exported;
  }
  const PlainRun run = (*system)->run_plainly();
  const Machine& machine = (*system)->machine();
  const Process* const lister = machine.processes.find(machine.names.root_pid());
  const Term reason = lister == nullptr ? Term::none() : lister->exit_reason;
  if (!is_tuple_of(reason, 2) || !element(reason, 1).is_atom() ||
      machine.names.atoms.text(element(reason, 1)) != "ravel_exunit_list") {
    const std::string why = run.outcome == Outcome::kUnsupported ? run.refusal.message : run.bug.message;
    return Error{name.to_string() + ": the tests of this case cannot be listed: " + why + "."};
  }
  std::vector<TestCase> tests;
  for (Term list = element(reason, 2); list.is_cons(); list = list.tail())
    tests.push_back(
        {.name = {.module = name.module, .function = std::string(machine.names.atoms.text(list.head()))}});
  if (tests.empty() && !name.is_exunit_case())
    return Error{name.to_string() + ": the case has no such test."};
  return tests;
}

}  // namespace ravel::erlang
