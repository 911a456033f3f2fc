// The end of a process: signals that kill, what its end does, and who hears of it (signals.h says in which
// order).
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "erlang/machine/links.h"
#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

// Nobody can see any more what it would have executed next, from which messages.
void forget_execution(Process& process) {
  process.touch();
  process.pc = process.cp = process.after_pc = process.receive_pc = nullptr;
  process.arguments.clear();
  process.mailbox.clear();
  process.mailbox_image = Term::none();
  process.receive_at = 0;
  process.exit_trace = process.frozen_stack = Term::nil();
  process.reset_stack();
  process.is_top_frozen = true;
  process.has_frozen_frame = false;
  Attributes& attributes = process.change_attributes();
  attributes.monitors.clear();
  attributes.aliases.clear();
}

bool has_told_everybody(const Process& ended) {
  const Attributes& attributes = ended.attributes;
  return attributes.links.empty() && attributes.former_links.empty() && attributes.watchers.empty();
}

}  // namespace

// A signal that kills, also a process that has done all but end. It touches nothing but how far the process
// is if that has ended or was killed already.
void Machine::kill(Term pid, Term reason, Term origin) {
  Process* process = find_alive(pid);
  const bool is_in_time = process != nullptr;
  note_access(ObjectClass::kRun, pid.pid_name(), is_in_time ? access::kWrite : access::kRead);
  if (!is_in_time) return;
  note_plain_access(ObjectClass::kLife, pid.pid_name(), access::kWrite);
  // A message that comes later could have been received before: only who sees that they depend on each other
  // tries that.
  const bool is_in_receive = process->rest != Rest::kReady && process->rest != Rest::kEnding;
  if (is_in_receive) note_plain_access(ObjectClass::kMailbox, pid.pid_name(), access::kWrite);
  process->touch();
  if (process->rest == Rest::kTimeout) note_deadline_change();
  process->rest = Rest::kEnding;
  process->exit_reason = reason;
  process->exit_origin = origin;
  process->exit_trace = Term::nil();
  process->exit_class = ErrorClass::kExit;
  process->ends_by_exception = false;
  // Nobody can see these any more. The stack stays: the process may be the one that runs.
  process->mailbox.clear();
  process->mailbox_image = Term::none();
  process->receive_at = 0;
  process->timeout = Term::none();
  process->is_due = false;
  note_reply_aliases(*process);
  keep_lasting_aliases(*process);
  std::erase_if(process->change_attributes().aliases,
                [](const Alias& alias) { return !takes_back_monitor(alias.mode); });
  std::erase(unsettled_, process);
}

// A message to such an alias takes a monitor back, but nobody can tell of who is dead.
void Machine::note_reply_aliases(const Process& process) {
  for (const Alias& alias : process.attributes.aliases)
    if (takes_back_monitor(alias.mode))
      note_plain_access(ObjectClass::kAlias, alias.reference.reference_payload(), access::kChange);
}

// A message to such an alias could have come before the end; one to an alias that was dropped before could
// not.
void Machine::keep_lasting_aliases(const Process& process) {
  if (!options.notes_messages || is_starting_system_) return;
  for (const Alias& alias : process.attributes.aliases) {
    if (alias.mode == kSpent) continue;
    const Term remembered =
        Term::small(static_cast<std::int64_t>(alias.mode) << 1 | static_cast<std::int64_t>(alias.urgency));
    change_shared_terms().lasting_aliases =
        map_put(heap, names, shared_terms_.lasting_aliases, alias.reference, remembered);
  }
}

Alias Machine::lasting_alias(Term reference, Term remembered) {
  const std::int64_t bits = remembered.small_value();
  return {.reference = reference,
          .mode = static_cast<AliasMode>(bits >> 1),
          .urgency = static_cast<Urgency>(bits & 1)};
}

// The steps stand in the order that signals.h promises.
void Machine::end(Process& process) {
  CHECK(process.rest == Rest::kEnding);
  const Term pid = process.pid;
  const Term reason = process.exit_reason;
  note_access(ObjectClass::kLife, pid.pid_name(), access::kWrite);
  // A signal could have killed it before, unless one has.
  if (!process.is_killed()) note_plain_access(ObjectClass::kRun, pid.pid_name(), access::kWrite);
  note_plain_access(ObjectClass::kProcessTable, kAllProcesses, access::kChange);
  if (process.ends_by_exception && process.exit_class != ErrorClass::kExit) report_crash(process);
  std::erase_if(timers_, [&](const Timer& timer) {
    if (timer.target != pid || options.notes_messages) return false;
    note_access(ObjectClass::kTimer, timer.reference.reference_payload(), access::kWrite);
    note_deadline_change();
    global_image_ = Term::none();
    return true;
  });
  release_tables(process);
  note_access(ObjectClass::kNameOf, pid.pid_name(), access::kRead);
  if (!process.attributes.registered_name.is_none()) unregister_name(process.attributes.registered_name);
  remove_watchers_of_ended(process);
  note_reply_aliases(process);
  keep_lasting_aliases(process);
  const bool traps_exits = process.attributes.trap_exit;
  if (traps_exits && options.notes_messages && !is_starting_system_)
    change_shared_terms().trapping_ends =
        map_put(heap, names, shared_terms_.trapping_ends, pid, atoms::kTrue);
  if (has_channels()) {
    for (const Term other : process.attributes.links)
      transmit(pid, other, {.kind = Signal::Kind::kLinkExit, .content = reason});
    // Also for monitors that were taken back: the watcher sees to that when it arrives.
    for (const Watcher& watcher : process.attributes.watchers)
      transmit(
          pid, watcher.pid,
          {.kind = Signal::Kind::kDown,
           .content = heap.tuple({watcher.tag, watcher.reference, atoms::kProcess, watcher.object, reason}),
           .subject = watcher.reference,
           .urgency = watcher.urgency});
    remove_process(process);
    return forget_channels_of_ended(pid);
  }
  remove_link(names, process, names.device_pid());  // which ignores all signals
  if (has_told_everybody(process)) return remove_process(process);
  const std::size_t told = process.attributes.links.size() + process.attributes.watchers.size();
  if (told > 1 && !ends_stepwise() && !is_starting_system_)
    assumptions_.add(Assumed::kAtomicEnds, places_of(process));
  forget_execution(process);
  process.rest = Rest::kEnded;
  if (ends_stepwise()) return;
  while (find_even_ended(pid) != nullptr) tell_next(process);
}

// The next of those who were linked with it, or watch it, hears of its end. Whoever ended first, and whoever
// has taken back what: there are as many steps, in one order.
void Machine::tell_next(Process& ended) {
  Attributes& attributes = ended.change_attributes();
  auto& links = attributes.links;
  auto& former = attributes.former_links;
  if (!former.empty() && (links.empty() || names.compare_pids(former.front().pid, links.front()) < 0)) {
    const FormerLink link = former.front();
    former.erase(former.begin());
    note_signal_in_vain(ended, link);
  } else if (!links.empty()) {
    const Term other = links.front();
    tell_partner(ended, other);
    remove_link(names, ended, other);
  } else {
    const Watcher watcher = attributes.watchers.front();
    attributes.watchers.erase(attributes.watchers.begin());
    tell_watcher(ended, watcher);
  }
  if (has_told_everybody(ended)) remove_process(ended);
}

// What the exit signal of an ended process has to do with whom it is linked with: the link, whether that one
// traps exits, and what follows from it.
void Machine::tell_partner(const Process& ended, Term other) {
  const Term pid = ended.pid, reason = ended.exit_reason;
  note_access(ObjectClass::kLinks, link_payload(pid, other), access::kRead);
  note_plain_access(ObjectClass::kLinks, other.pid_name(), access::kChange);
  Process& partner = *find_even_ended(other);
  const Urgency urgency = urgency_of_link(partner, pid);
  remove_link(names, partner, pid);
  note_former_link(partner, {.pid = pid,
                             .how = ended.attributes.trap_exit ? FormerLink::Gone::kEndedTrapping
                                                               : FormerLink::Gone::kEnded,
                             .urgency = urgency_of_link(ended, other)});
  send_exit(other, pid, reason, partner.attributes.trap_exit, urgency);
}

// The same where the partner has ended before: it would have made no difference if that had lived on. A link
// that was taken back was looked for only.
void Machine::note_signal_in_vain(const Process& ended, const FormerLink& link) {
  note_access(ObjectClass::kLinks, link_payload(ended.pid, link.pid), access::kRead);
  if (link.how == FormerLink::Gone::kUnlinked) return note_telling(link.pid, Term::none(), Term::none());
  note_plain_access(ObjectClass::kLinks, link.pid.pid_name(), access::kChange);
  send_exit(link.pid, ended.pid, ended.exit_reason, link.how == FormerLink::Gone::kEndedTrapping,
            link.urgency);
}

void Machine::note_former_link(Process& process, const FormerLink& link) {
  if (!keeps_former_links()) return;
  auto& former = process.change_attributes().former_links;
  const auto is_before = [&](const FormerLink& one, Term wanted) {
    return names.compare_pids(one.pid, wanted) < 0;
  };
  const auto place = std::lower_bound(former.begin(), former.end(), link.pid, is_before);
  if (place != former.end() && place->pid == link.pid) {
    *place = link;
  } else {
    former.insert(place, link);
  }
}

// The exit signal of a link.
void Machine::send_exit(Term other, Term ended, Term reason, bool is_trapped, Urgency urgency) {
  note_access(ObjectClass::kFlags, other.pid_name(), access::kRead);
  if (is_trapped) {
    const Term message = heap.tuple({atoms::kExitMessage, ended, reason});
    note_telling(other, message, Term::none());
    return deliver(other, message, ended, urgency);
  }
  note_telling(other, reason, atoms::kExitMessage);
  if (reason != atoms::kNormal) kill(other, reason, ended);
}

void Machine::note_telling(Term other, Term content, Term form) {
  if (event_.kind != OperationKind::kTell) return;  // one of many, in the step of the end
  event_.object = other;
  event_.value = content;
  event_.reason = form;
}

// The 'DOWN' message, or, for a monitor that was taken back, by the end of its process too, one in vain. It
// is none at all if what took back the monitor could have seen the message: then that came first.
void Machine::tell_watcher(const Process& ended, const Watcher& watcher) {
  note_plain_access(ObjectClass::kMonitor, watcher.reference.reference_payload(), access::kRead);
  note_plain_access(ObjectClass::kLinks, watcher.pid.pid_name(), access::kChange);
  if (watcher.drops_alias)
    note_plain_access(ObjectClass::kAlias, watcher.reference.reference_payload(), access::kChange);
  const Term message =
      heap.tuple({watcher.tag, watcher.reference, atoms::kProcess, watcher.object, ended.exit_reason});
  note_telling(watcher.pid, message, Term::none());
  if (watcher.taken_back != TakenBack::kNo && watcher.drops_alias) forget_lasting_alias(watcher.reference);
  if (watcher.taken_back != TakenBack::kNo)
    return note_sent(watcher.pid, watcher.taken_back == TakenBack::kUnseen ? message : Term::none(),
                     access::kSendInVain, watcher.urgency);
  Process* receiver = find_process(watcher.pid);
  CHECK(receiver != nullptr);
  auto& monitors = receiver->attributes.monitors;
  const auto place = std::ranges::find(monitors, watcher.reference, &Monitor::reference);
  CHECK(place != monitors.end());
  forget_monitor(*receiver, static_cast<std::size_t>(place - monitors.begin()));
  deliver(watcher.pid, message, ended.pid, watcher.urgency);
}

// The monitors that an ended process held.
void Machine::remove_watchers_of_ended(Process& process) {
  for (const Monitor& monitor : process.attributes.monitors) {
    Process* target = monitor.target.is_none() ? nullptr : find_even_ended(monitor.target);
    if (target != nullptr) take_back(*target, monitor.reference, TakenBack::kUnseen);
  }
}

}  // namespace ravel::erlang
