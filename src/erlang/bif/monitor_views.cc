// What a monitor of a property can see of a state: ravel_monitor (lib/ravel_monitor.erl). A view is only a
// word by which the monitor asks; each question looks at the machine, so one that is not asked costs nothing.
#include <algorithm>
#include <array>

#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

// False, with an exception: nobody may ask that.
bool may_ask(Call& call, Term view, Observed what) {
  const PropertyMonitors& monitors = call.machine.property_monitors;
  if (!monitors.is_running() || view != call.atom("view")) {
    call.badarg();
    return false;
  }
  if (monitors.observed_by_running() >= what) return true;
  call.raise(ErrorClass::kError,
             call.heap.tuple({call.atom("not_observed"),
                              call.atom(what == Observed::kNames ? "names" : "statuses or mailboxes")}));
  return false;
}

Term status_of(Call& call, const Process* process) {
  if (process == nullptr || process->is_killed()) return call.atom("ended");
  const bool waits = process->rest == Rest::kWaiting || process->rest == Rest::kTimeout;
  return waits ? atoms::kWaiting : atoms::kRunning;
}

// The program's processes that have not ended.
template <class Visit>
void for_each_process(Call& call, Visit visit) {
  for (const Process* process : call.machine.processes.all())
    if (process->rest != Rest::kEnded && call.machine.property_monitors.is_of_program(process->pid))
      visit(*process);
}

Term probes_1(Call& call, const Term* arguments) {
  if (!may_ask(call, arguments[0], Observed::kShown)) return Term::none();
  std::vector<Term> shown;
  for (MapIterator probe(call.machine.shared_terms().probes); probe.next();)
    shown.push_back(call.heap.tuple({element(probe.key(), 1), element(probe.key(), 2), probe.value()}));
  return call.heap.list(shown);
}

Term names_1(Call& call, const Term* arguments) {
  if (!may_ask(call, arguments[0], Observed::kNames)) return Term::none();
  std::vector<Term> pairs;
  for (const auto& [name, pid] : call.machine.registry.entries())
    if (pid.is_pid()) pairs.push_back(call.heap.tuple({name, pid}));
  return call.heap.list(pairs);
}

Term whereis_2(Call& call, const Term* arguments) {
  if (!may_ask(call, arguments[0], Observed::kNames)) return Term::none();
  if (!arguments[1].is_atom()) return call.badarg();
  const Term pid = call.machine.registry.whereis(arguments[1]);
  return pid.is_none() ? atoms::kUndefined : pid;
}

Term statuses_1(Call& call, const Term* arguments) {
  if (!may_ask(call, arguments[0], Observed::kSteps)) return Term::none();
  std::vector<Term> pairs;
  for_each_process(call, [&](const Process& process) {
    pairs.push_back(call.heap.tuple({process.pid, status_of(call, &process)}));
  });
  return call.heap.list(pairs);
}

Term status_2(Call& call, const Term* arguments) {
  if (!may_ask(call, arguments[0], Observed::kSteps)) return Term::none();
  if (!arguments[1].is_pid()) return call.badarg();
  return status_of(call, call.machine.processes.find(arguments[1]));
}

Term messages_2(Call& call, const Term* arguments) {
  if (!may_ask(call, arguments[0], Observed::kSteps)) return Term::none();
  if (!arguments[1].is_pid()) return call.badarg();
  std::vector<Term> messages;
  if (const Process* const process = call.machine.processes.find(arguments[1]))
    for (const Message& message : process->mailbox) messages.push_back(message.content);
  return call.heap.list(messages);
}

Term mailbox_lengths_1(Call& call, const Term* arguments) {
  if (!may_ask(call, arguments[0], Observed::kSteps)) return Term::none();
  std::vector<Term> pairs;
  for_each_process(call, [&](const Process& process) {
    if (!process.mailbox.empty())
      pairs.push_back(
          call.heap.tuple({process.pid, Term::small(static_cast<std::int64_t>(process.mailbox.size()))}));
  });
  return call.heap.list(pairs);
}

Term mailbox_length_2(Call& call, const Term* arguments) {
  if (!may_ask(call, arguments[0], Observed::kSteps)) return Term::none();
  if (!arguments[1].is_pid()) return call.badarg();
  const Process* const process = call.machine.processes.find(arguments[1]);
  return Term::small(process == nullptr ? 0 : static_cast<std::int64_t>(process->mailbox.size()));
}

Term give_1(Call& call, const Term* arguments) {
  if (!call.machine.pure_calls.is_running()) return call.badarg();
  call.machine.pure_calls.give(arguments[0]);
  return atoms::kOk;
}

// Of a process: the name by which it is registered, or else that of stories.
Term name_1(Call& call, const Term* arguments) {
  if (!call.machine.pure_calls.is_running() || !arguments[0].is_pid()) return call.badarg();
  const Process* const process = call.machine.processes.find(arguments[0]);
  if (process != nullptr && process->attributes.registered_name.is_atom())
    return process->attributes.registered_name;
  std::vector<Term> characters;
  for (const char one : call.names.pid_text(arguments[0]))
    characters.push_back(Term::small(static_cast<unsigned char>(one)));
  return call.heap.list(characters);
}

constexpr auto kMonitorViewBuiltins = std::to_array<Builtin>({
    {"ravel_explorer", "name", 1, Effect::kLocal, name_1},
    {"ravel_monitor", "mailbox_length", 2, Effect::kLocal, mailbox_length_2},
    {"ravel_monitor", "mailbox_lengths", 1, Effect::kLocal, mailbox_lengths_1},
    {"ravel_monitor", "messages", 2, Effect::kLocal, messages_2},
    {"ravel_monitor", "names", 1, Effect::kLocal, names_1},
    {"ravel_monitor", "probes", 1, Effect::kLocal, probes_1},
    {"ravel_monitor", "status", 2, Effect::kLocal, status_2},
    {"ravel_monitor", "statuses", 1, Effect::kLocal, statuses_1},
    {"ravel_monitor", "whereis", 2, Effect::kLocal, whereis_2},
    {"ravel_property", "give", 1, Effect::kLocal, give_1},
});
static_assert(std::ranges::is_sorted(kMonitorViewBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> monitor_view_builtins() { return kMonitorViewBuiltins; }

}  // namespace ravel::erlang
