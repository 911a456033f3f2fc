#include "erlang/system/process_roles.h"

#include <algorithm>

#include "erlang/system/test_runners.h"

namespace ravel::erlang {

void ProcessRoles::note_system() {
  for (const Process* process : machine_.processes.all()) system_.push_back(process->pid);
}

bool ProcessRoles::runs_test(const Process& process) const {
  if (framework_.is_eunit && process.pid == Names::root_pid()) return true;
  const Term call = process.attributes.initial_call;
  return is_tuple_of(call, 3) && element(call, 1).is_atom() &&
         is_runner(machine_.names.atoms.text(element(call, 1)));
}

bool ProcessRoles::is_in_runner(const Process& process) const {
  const auto places = machine_.traces.places_of(process);
  if (places.empty()) return false;
  const CodePlace place = machine_.code.describe_place(places.front());
  return place.module != nullptr && is_runner(machine_.names.atoms.text(place.module->name));
}

bool ProcessRoles::is_of_system(const Process& process) const {
  if (!machine_.names.is_below_system(process.pid)) return false;
  // What an application starts has its master as group leader, and the masters of the system's applications
  // are there when the test starts.
  const Term leader = process.attributes.group_leader;
  const auto is_known = [&](Term pid) { return std::ranges::find(system_, pid) != system_.end(); };
  return is_known(process.pid) || leader == Names::device_pid() || is_known(leader);
}

}  // namespace ravel::erlang
