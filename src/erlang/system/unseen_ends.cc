#include "erlang/system/unseen_ends.h"

#include <algorithm>

namespace ravel::erlang {

bool UnseenEnds::may_come_first() const {
  const MachineOptions& options = machine_.options;
  return options.recurring && options.ends == Ends::kAtomic && options.mishaps.count() == 0 &&
         !options.fires_early && machine_.propositions.size() == 0 && machine_.property_monitors.size() == 0;
}

void UnseenEnds::keep_to_one(std::vector<Transition>& enabled) {
  is_one_first_ = false;
  if (enabled.size() < 2) return;
  for (const Transition& transition : enabled) {
    if (transition.kind != TransitionKind::kOperation) continue;
    const Term who = actors_.term_of(transition.actor);
    if (!who.is_pid() || !is_unseen_end(who)) continue;
    was_one_first_ = is_one_first_ = true;
    const Transition only = transition;
    enabled.assign(1, only);
    return;
  }
}

bool UnseenEnds::is_unseen_end(Term pid) const {
  const Process* const process = machine_.processes.find(pid);
  if (process == nullptr || process->rest != Rest::kEnding || process->exit_reason != atoms::kNormal ||
      process->ends_by_exception || process->is_killed())
    return false;
  if (roles_.is_test_process(*process) || machine_.names.is_below_system(pid)) return false;
  const Attributes& attributes = process->attributes;
  const auto is_device = [](Term other) { return other == Names::device_pid(); };
  return attributes.registered_name.is_none() && std::ranges::all_of(attributes.links, is_device) &&
         attributes.watchers.empty() && attributes.monitors.empty() && attributes.aliases.empty() &&
         !machine_.free_names.is_known_to_others(*process);
}

}  // namespace ravel::erlang
