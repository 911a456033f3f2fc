// What the emulator tells the logger when a process ends by an error that nobody caught: a message to
// logger_proxy, which makes a log event of it (src/erlang/lib/ravel_logger.erl). Processes of behaviours
// catch and report their own.
#include <string_view>

#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

void Endings::report_crash(const Process& process) {
  const std::optional<Term> name = names.atoms.find("logger_proxy");
  if (!name) return;
  record.note_access(ObjectClass::kName, static_cast<std::uint64_t>(name->atom_id()), access::kRead);
  const Term logger = machine.registry.whereis(*name);
  if (logger.is_none() || logger == process.pid) return;
  constexpr std::string_view kFormat = "Error in process ~p with exit value:~n~p~n";
  std::vector<Term> format;
  for (const char character : kFormat) format.push_back(Term::small(character));
  const Term arguments[] = {process.pid, process.exit_reason};
  const Term marks[] = {names.atoms.make("emulator"), atoms::kTrue, names.atoms.make("tag"), atoms::kError};
  const Term details[] = {names.atoms.make("pid"),
                          process.pid,
                          names.atoms.make("gl"),
                          process.attributes.group_leader,
                          names.atoms.make("time"),
                          heap.integer((VirtualTime::kEpochNs + machine.time.clock_ns()) / 1000),
                          names.atoms.make("error_logger"),
                          map_from_pairs(heap, names, marks)};
  machine.signals.deliver(logger,
                          heap.tuple({names.atoms.make("log"), atoms::kError, heap.list(format),
                                      heap.list(arguments), map_from_pairs(heap, names, details)}),
                          atoms::kSystem);
}

}  // namespace ravel::erlang
