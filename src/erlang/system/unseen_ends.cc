// Ends that nobody can see, in a search by states: of a process that is not watched, linked or named, that
// owns no table, and whose pid nobody has.
//
// The idea: such an end commutes with all that others do, and what they do cannot tell whether it has
// happened. So where there is one it is the only transition that is listed (a persistent set of one). Else
// processes that have come to their end pile up where they are never let do so, and a server that starts one
// for each request has infinitely many states.
//
// Faults and early timeouts happen only as long as somebody can go on, as who has to end can; so with these
// such ends are steps as others are.
//
// Only the list of all processes shows an unseen end. Once a program has looked at that, the search begins
// again without this (ErlangOptions::unseen_ends_come_first).

#include <algorithm>

#include "erlang/system/erlang_system.h"

namespace ravel::erlang {

bool ErlangSystem::may_look_for_unseen_ends() const {
  const MachineOptions& machine = options_.machine;
  return machine.recurring && options_.unseen_ends_come_first && machine.ends == Ends::kAtomic &&
         machine.mishaps.count() == 0 && !machine.fires_early && propositions_.empty() &&
         machine_->property_monitors.size() == 0;
}

void ErlangSystem::keep_to_unseen_end() {
  is_unseen_end_first_ = false;
  if (enabled_.size() < 2) return;
  for (const Transition& transition : enabled_) {
    if (transition.kind != TransitionKind::kOperation) continue;
    const Term who = actors_.term_of(transition.actor);
    if (!who.is_pid() || !is_unseen_end(who)) continue;
    has_put_end_first_ = is_unseen_end_first_ = true;
    const Transition only = transition;
    enabled_.assign(1, only);
    return;
  }
}

bool ErlangSystem::is_unseen_end(Term pid) const {
  const Process* const process = machine_->processes.find(pid);
  if (process == nullptr || process->rest != Rest::kEnding || process->exit_reason != atoms::kNormal ||
      process->ends_by_exception || process->is_killed())
    return false;
  if (roles_.is_test_process(*process) || machine_->names.is_below_system(pid)) return false;
  const Attributes& attributes = process->attributes;
  const auto is_device = [](Term other) { return other == Names::device_pid(); };
  return attributes.registered_name.is_none() && std::ranges::all_of(attributes.links, is_device) &&
         attributes.watchers.empty() && attributes.monitors.empty() && attributes.aliases.empty() &&
         !machine_->free_names.is_known_to_others(*process);
}

}  // namespace ravel::erlang
