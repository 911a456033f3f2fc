// signals.h says in which order.
#include "erlang/machine/endings.h"

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

bool Endings::are_stepwise() const {
  return options.ends == Ends::kStepwise && !machine.is_starting_system() && !machine.channels.are_used();
}

bool Endings::keeps_what_was_taken_back() const {
  return (options.notes_messages && !machine.is_starting_system()) || (are_stepwise() && !options.recurring);
}

bool Endings::keep_former_links() const {
  return keeps_what_was_taken_back() && !machine.channels.are_used();
}

// A signal that kills, also a process that has done all but end. It touches nothing but how far the process
// is if it has ended or was killed already.
void Endings::kill(Term pid, Term reason, Term origin) {
  Process* process = machine.processes.find_alive(pid);
  const bool is_in_time = process != nullptr;
  record.note_access(ObjectClass::kRun, pid.pid_name(), is_in_time ? access::kWrite : access::kRead);
  if (!is_in_time) return;
  record.note_plain_access(ObjectClass::kLife, pid.pid_name(), access::kWrite);
  // A message that comes later could have been received before: only who sees that they depend on each other
  // tries that.
  const bool is_in_receive = !process->is_before_operation() && process->rest != Rest::kEnding;
  if (is_in_receive) record.note_plain_access(ObjectClass::kMailbox, pid.pid_name(), access::kWrite);
  strike(*process, reason, origin);
}

void Endings::strike(Process& process, Term reason, Term origin) {
  process.touch();
  if (process.rest == Rest::kTimeout) record.note_deadline_change();
  process.rest = Rest::kEnding;
  process.exit_reason = reason;
  process.exit_origin = origin;
  process.exit_trace = Term::nil();
  process.exit_class = ErrorClass::kExit;
  process.ends_by_exception = false;
  // Nobody can see these any more. The stack stays: the process may be the one that runs.
  process.mailbox.clear();
  process.mailbox_image = Term::none();
  process.receive_at = 0;
  process.timeout = Term::none();
  process.is_due = false;
  note_reply_aliases(process);
  machine.signals.keep_lasting_aliases(process);
  std::erase_if(process.change_attributes().aliases,
                [](const Alias& alias) { return !takes_back_monitor(alias.mode); });
  machine.processes.forget_unsettled(process);
}

// A message to such an alias takes a monitor back, but nobody can tell of who is dead.
void Endings::note_reply_aliases(const Process& process) {
  for (const Alias& alias : process.attributes.aliases)
    if (takes_back_monitor(alias.mode))
      record.note_plain_access(ObjectClass::kAlias, alias.reference.reference_payload(), access::kChange);
}

// The steps stand in the order that signals.h promises.
void Endings::end(Process& process) {
  CHECK(process.rest == Rest::kEnding);
  const Term pid = process.pid;
  const Term reason = process.exit_reason;
  record.note_access(ObjectClass::kLife, pid.pid_name(), access::kWrite);
  // A signal could have killed it before, unless one has.
  if (!process.is_killed()) record.note_plain_access(ObjectClass::kRun, pid.pid_name(), access::kWrite);
  record.note_plain_access(ObjectClass::kProcessTable, kAllProcesses, access::kChange);
  if (process.ends_by_exception && process.exit_class != ErrorClass::kExit) report_crash(process);
  if (!options.notes_messages) machine.time.end_timers_of(pid);
  machine.table_ownership.release_tables(process);
  record.note_access(ObjectClass::kNameOf, pid.pid_name(), access::kRead);
  if (!process.attributes.registered_name.is_none())
    machine.registry.unregister_name(process.attributes.registered_name);
  machine.probes.forget_those_of(pid);
  remove_watchers_of_ended(process);
  note_reply_aliases(process);
  machine.signals.keep_lasting_aliases(process);
  const bool traps_exits = process.attributes.trap_exit;
  if (traps_exits && options.notes_messages && !machine.is_starting_system())
    machine.change_shared_terms().trapping_ends =
        map_put(heap, names, machine.shared_terms().trapping_ends, pid, atoms::kTrue);
  if (machine.channels.are_used()) {
    for (const Term other : process.attributes.links)
      machine.channels.transmit(pid, other, {.kind = Signal::Kind::kLinkExit, .content = reason});
    // Monitors that were taken back get a signal, too: the watcher sees to that when it arrives.
    for (const Watcher& watcher : process.attributes.watchers)
      machine.channels.transmit(
          pid, watcher.pid,
          {.kind = Signal::Kind::kDown,
           .content = heap.tuple({watcher.tag, watcher.reference, atoms::kProcess, watcher.object, reason}),
           .subject = watcher.reference,
           .urgency = watcher.urgency});
    machine.processes.remove(process);
    return machine.channels.forget_channels_of_ended(pid);
  }
  remove_link(names, process, names.device_pid());  // which ignores all signals
  if (has_told_everybody(process)) return machine.processes.remove(process);
  const std::size_t told = process.attributes.links.size() + process.attributes.watchers.size();
  if (told > 1 && !are_stepwise() && !machine.is_starting_system())
    machine.faults.assumptions().add(Assumed::kAtomicEnds, machine.traces.places_of(process));
  forget_execution(process);
  process.rest = Rest::kEnded;
  if (are_stepwise()) return;
  while (machine.processes.find_even_ended(pid) != nullptr) tell_next(process);
}

// The next process that was linked with the ended one, or watches it, hears of its end. The number of steps
// and their order do not depend on who ended first, nor on who has taken back what.
void Endings::tell_next(Process& ended) {
  Attributes& attributes = ended.change_attributes();
  auto& links = attributes.links;
  auto& former = attributes.former_links;
  if (is_former_link_next(attributes)) {
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
  if (has_told_everybody(ended)) machine.processes.remove(ended);
}

bool Endings::is_former_link_next(const Attributes& attributes) const {
  const auto& links = attributes.links;
  const auto& former = attributes.former_links;
  if (former.empty()) return false;
  return links.empty() || names.compare_pids(former.front().pid, links.front()) < 0;
}

bool Endings::tells_in_vain(const Process& ended) const {
  const Attributes& attributes = ended.attributes;
  if (ended.rest != Rest::kEnded) return false;
  if (is_former_link_next(attributes)) return true;
  const auto& watchers = attributes.watchers;
  return attributes.links.empty() && !watchers.empty() && watchers.front().taken_back != TakenBack::kNo;
}

void Endings::forget_if_told(Process& process) {
  if (process.rest == Rest::kEnded && has_told_everybody(process)) machine.processes.remove(process);
}

// What the exit signal of an ended process has to do with whom it is linked with: the link, whether that one
// traps exits, and what follows from it.
void Endings::tell_partner(const Process& ended, Term other) {
  const Term pid = ended.pid, reason = ended.exit_reason;
  record.note_access(ObjectClass::kLinks, link_payload(pid, other), access::kRead);
  record.note_plain_access(ObjectClass::kLinks, other.pid_name(), access::kChange);
  Process& partner = *machine.processes.find_even_ended(other);
  const Urgency urgency = urgency_of_link(partner, pid);
  remove_link(names, partner, pid);
  note_former_link(partner, {.pid = pid,
                             .how = ended.attributes.trap_exit ? FormerLink::Gone::kEndedTrapping
                                                               : FormerLink::Gone::kEnded,
                             .urgency = urgency_of_link(ended, other)});
  send_exit(other, pid, reason, partner.attributes.trap_exit, urgency);
  forget_if_told(partner);
}

// Notes an exit signal to a partner that has ended before. It would have made no difference if the partner
// had lived on. A link that was taken back was looked for only.
void Endings::note_signal_in_vain(const Process& ended, const FormerLink& link) {
  record.note_access(ObjectClass::kLinks, link_payload(ended.pid, link.pid), access::kRead);
  if (link.how == FormerLink::Gone::kUnlinked) return note_telling(link.pid, Term::none(), Term::none());
  record.note_plain_access(ObjectClass::kLinks, link.pid.pid_name(), access::kChange);
  send_exit(link.pid, ended.pid, ended.exit_reason, link.how == FormerLink::Gone::kEndedTrapping,
            link.urgency);
}

void Endings::note_former_link(Process& process, const FormerLink& link) {
  if (!keep_former_links()) return;
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
void Endings::send_exit(Term other, Term ended, Term reason, bool is_trapped, Urgency urgency) {
  record.note_access(ObjectClass::kFlags, other.pid_name(), access::kRead);
  if (is_trapped) {
    const Term message = heap.tuple({atoms::kExitMessage, ended, reason});
    note_telling(other, message, Term::none());
    return machine.signals.deliver(other, message, ended, urgency);
  }
  note_telling(other, reason, atoms::kExitMessage);
  if (reason != atoms::kNormal) kill(other, reason, ended);
}

void Endings::note_telling(Term other, Term content, Term form) {
  if (record.event.kind != OperationKind::kTell) return;  // part of the step of the end
  record.event.object = other;
  record.event.value = content;
  record.event.reason = form;
}

// The 'DOWN' message, or, for a monitor that was taken back, by the end of its process too, one in vain. No
// message is sent at all if what took back the monitor could have seen the message: then that came first.
void Endings::tell_watcher(const Process& ended, const Watcher& watcher) {
  record.note_plain_access(ObjectClass::kMonitor, watcher.reference.reference_payload(), access::kRead);
  record.note_plain_access(ObjectClass::kLinks, watcher.pid.pid_name(), access::kChange);
  if (watcher.drops_alias)
    record.note_plain_access(ObjectClass::kAlias, watcher.reference.reference_payload(), access::kChange);
  const Term message =
      heap.tuple({watcher.tag, watcher.reference, atoms::kProcess, watcher.object, ended.exit_reason});
  note_telling(watcher.pid, message, Term::none());
  if (watcher.taken_back != TakenBack::kNo && watcher.drops_alias)
    machine.signals.forget_lasting_alias(watcher.reference);
  if (watcher.taken_back != TakenBack::kNo)
    return record.note_sent(watcher.pid, watcher.taken_back == TakenBack::kUnseen ? message : Term::none(),
                            access::kSendInVain, watcher.urgency);
  Process* receiver = machine.processes.find(watcher.pid);
  CHECK(receiver != nullptr);
  auto& monitors = receiver->attributes.monitors;
  const auto place = std::ranges::find(monitors, watcher.reference, &Monitor::reference);
  CHECK(place != monitors.end());
  machine.signals.forget_monitor(*receiver, static_cast<std::size_t>(place - monitors.begin()));
  machine.signals.deliver(watcher.pid, message, ended.pid, watcher.urgency);
}

// The monitors that an ended process held.
void Endings::remove_watchers_of_ended(Process& process) {
  for (const Monitor& monitor : process.attributes.monitors) {
    Process* target = monitor.target.is_none() ? nullptr : machine.processes.find_even_ended(monitor.target);
    if (target != nullptr) machine.signals.take_back(*target, monitor.reference, TakenBack::kUnseen);
  }
}

}  // namespace ravel::erlang
