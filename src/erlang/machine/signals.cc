#include "erlang/machine/signals.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "erlang/machine/links.h"
#include "erlang/machine/machine.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

void add_watcher(const Names& names, Process& watched, const Watcher& watcher) {
  auto& watchers = watched.change_attributes().watchers;
  const auto is_before = [&](const Watcher& a, const Watcher& b) {
    return names.compare_references(a.reference, b.reference) < 0;  // first by creator, who is the watcher
  };
  watchers.insert(std::ranges::upper_bound(watchers, watcher, is_before), watcher);
}

Term arity_of(std::span<const Term> arguments) {
  return Term::small(static_cast<std::int64_t>(arguments.size()));
}

// A message, or an exit signal, goes ahead of others if both its sender and who made the alias have said so.
Urgency urgency_by(Urgency sender, Urgency alias) {
  return sender == Urgency::kPriority ? alias : Urgency::kOrdinary;
}

Alias lasting_alias(Term reference, Term remembered) {
  const std::int64_t bits = remembered.small_value();
  return {.reference = reference,
          .mode = static_cast<AliasMode>(bits >> 1),
          .urgency = static_cast<Urgency>(bits & 1)};
}

}  // namespace

Spawned Signals::spawn(Process& parent, const SpawnRequest& request) {
  const Term pid = machine.free_names.pid_for_child_of(parent);
  record.note_access(ObjectClass::kProcessTable, kAllProcesses, access::kChange);
  record.note_access(ObjectClass::kLife, pid.pid_name(), access::kCreate);
  record.note_plain_access(ObjectClass::kRun, pid.pid_name(), access::kCreate);
  if (request.link) record.note_plain_access(ObjectClass::kLinks, parent.pid.pid_name(), access::kChange);
  Process& child = machine.processes.make(pid);
  Attributes& attributes = child.change_attributes();
  attributes.group_leader = parent.attributes.group_leader;
  attributes.parent = parent.pid;
  attributes.priority = request.priority;
  const bool is_fun_call = !request.fun.is_none();
  if (is_fun_call) {
    attributes.initial_call = heap.tuple({atoms::kErlang, atoms::kApply, Term::small(2)});
    attributes.fun_group = machine.opaque_names.group_of_fun(request.fun);
    machine.interpreter.prepare_start_fun(child, request.fun, request.arguments);
  } else {
    attributes.initial_call = heap.tuple({request.module, request.function, arity_of(request.arguments)});
    machine.interpreter.prepare_start(child, request.module, request.function, request.arguments);
  }
  if (request.link) {
    add_link(names, parent, pid);
    add_link(names, child, parent.pid);
    set_link_urgency(names, parent, pid, request.link_urgency);
  }
  Spawned spawned{.pid = pid};
  if (request.monitor) spawned.monitor = monitor(parent, pid, pid, *request.monitor, Watched::kNew);
  machine.processes.add_unsettled(child);
  return spawned;
}

// The alias would have gone now, had its process lived.
void Signals::forget_lasting_alias(Term reference) {
  if (map_get(names, machine.shared_terms().lasting_aliases, reference).is_none()) return;
  machine.change_shared_terms().lasting_aliases =
      map_remove(heap, names, machine.shared_terms().lasting_aliases, reference);
}

void Signals::take_back(Process& watched, Term reference, TakenBack how) {
  auto& watchers = watched.change_attributes().watchers;
  const auto place = std::ranges::find(watchers, reference, &Watcher::reference);
  if (place == watchers.end()) return;
  if (machine.endings.keeps_what_was_taken_back()) {
    place->taken_back = how;
  } else {
    watchers.erase(place);
    machine.endings.forget_if_told(watched);
  }
}

// ---- Messages --------------------------------------------------------------------------------------------

// A message has come to this place. What lay there before, and after it, has moved.
void Signals::look_again(Process& process, std::size_t place) {
  const bool has_matched_before = process.rest == Rest::kMatched && process.receive_at < place;
  const bool is_in_receive =
      process.rest == Rest::kWaiting || process.rest == Rest::kTimeout || process.rest == Rest::kMatched;
  if (!is_in_receive || has_matched_before) return;
  process.receive_at = std::min(process.receive_at, place);
  machine.processes.add_unsettled(process);
}

void Signals::deliver(Term pid, Term content, Term sender, Urgency urgency) {
  if (pid == names.device_pid()) return machine.device.answer(content);
  // Also if nobody is there any more: it could have come earlier.
  record.note_sent(pid, content, access::kSend, urgency);
  if (urgency == Urgency::kPriority) record.event.is_priority = true;
  Process* process = machine.processes.find_alive(pid);
  if (process == nullptr) return;
  process->touch();
  process->mailbox_image = Term::none();
  look_again(*process, process->mailbox.add({.content = content, .sender = sender}, urgency));
}

bool Signals::send(Process& sender, Term target, Term content, Urgency urgency) {
  record.event.kind = OperationKind::kSend;
  record.event.subject = target;
  record.event.object = Term::none();
  record.event.value = content;
  Term receiver = target;
  if (target.is_reference()) {
    if (machine.channels.are_used() && machine.processes.is_alive(Names::creator_of(target)))
      record.event.object = Names::creator_of(target);
    machine.channels.transmit(
        sender.pid, Names::creator_of(target),
        {.kind = Signal::Kind::kAliasMessage, .content = content, .subject = target, .urgency = urgency});
    return true;
  }
  if (target.is_atom() || is_tuple_of(target, 2)) {
    Term name = target;
    if (!target.is_atom()) {
      name = element(target, 1);
      const Term node = element(target, 2);
      if (!name.is_atom() || !node.is_atom()) return false;
      if (node != atoms::kNoname) {
        machine.faults.refuse(
            "a message to another node leaves the program: a search has one node, nonode@nohost; replace it "
            "in the test");
        return true;
      }
    }
    receiver = machine.registry.named_process(name);
    if (receiver.is_none()) return !target.is_atom();
  }
  if (!receiver.is_pid()) {
    if (receiver.is_port() || is_kind(receiver, Kind::kForeign)) {
      machine.faults.refuse(
          "a message to a port or to another node leaves the program, so no schedule can control it; replace "
          "it in the test");
      return true;
    }
    return false;
  }
  if (machine.processes.is_alive(receiver)) record.event.object = receiver;
  machine.channels.transmit(sender.pid, receiver, {.kind = Signal::Kind::kMessage, .content = content});
  return true;
}

// Whatever becomes of it, it touches the same: only the alias's owner could tell.
void Signals::deliver_to_alias(Term reference, Term content, Term sender, Urgency urgency) {
  const Term owner_pid = Names::creator_of(reference);
  record.note_plain_access(ObjectClass::kAlias, reference.reference_payload(), access::kWrite);
  Process* owner = machine.processes.find_alive(owner_pid);
  if (owner == nullptr) {
    const Term lasting = map_get(names, machine.shared_terms().lasting_aliases, reference);
    if (lasting.is_none()) return record.note_sent(owner_pid, Term::none(), access::kSendInVain);
    const Alias alias = lasting_alias(reference, lasting);
    if (alias.mode == AliasMode::kReply || alias.mode == AliasMode::kReplyDemonitor)
      forget_lasting_alias(reference);
    return record.note_sent(owner_pid, content, access::kSend, urgency_by(urgency, alias.urgency));
  }
  const auto& aliases = owner->attributes.aliases;
  const auto place = std::ranges::find(aliases, reference, &Alias::reference);
  if (place == aliases.end() || place->mode == kSpent)
    return record.note_sent(owner_pid, Term::none(), access::kSendInVain);
  const AliasMode mode = place->mode;
  record.event.object = owner_pid;
  deliver(owner_pid, content, sender, urgency_by(urgency, place->urgency));
  if (mode == AliasMode::kReply) drop_alias(*owner, reference);
  if (mode != AliasMode::kReplyDemonitor) return;
  record.note_plain_access(ObjectClass::kLinks, owner_pid.pid_name(), access::kChange);
  demonitor(*owner, reference, Demonitor::kPlain);
}

// ---- Aliases, monitors, links ----------------------------------------------------------------------------

Term Signals::make_reference(Process& creator) { return machine.free_names.reference_of(creator); }

Term Signals::make_alias(Process& owner, AliasMode mode, Urgency urgency) {
  const Term reference = make_reference(owner);
  owner.change_attributes().aliases.push_back({.reference = reference, .mode = mode, .urgency = urgency});
  return reference;
}

bool Signals::drop_alias(Process& owner, Term reference) {
  forget_lasting_alias(reference);  // if the owner has been killed, but has not ended
  const auto place = std::ranges::find(owner.attributes.aliases, reference, &Alias::reference);
  if (place == owner.attributes.aliases.end() || place->mode == kSpent) return false;
  owner.change_attributes();
  if (place->mode == AliasMode::kReplyDemonitor && options.notes_messages && !machine.is_starting_system()) {
    place->mode = kSpent;
  } else {
    owner.attributes.aliases.erase(place);
  }
  return true;
}

bool Signals::unalias(Process& owner, Term reference) {
  record.note_plain_access(ObjectClass::kAlias, reference.reference_payload(), access::kWrite);
  if (!drop_alias(owner, reference)) return false;
  const auto place = std::ranges::find(owner.attributes.monitors, reference, &Monitor::reference);
  if (place != owner.attributes.monitors.end()) place->alias = AliasMode::kNone;
  return true;
}

// Whether the other one lives changes nothing but whether there is a message, which only the watcher
// receives.
Term Signals::monitor(Process& watcher, Term target, Term object, const MonitorOptions& how, Watched known) {
  const Term reference = make_reference(watcher);
  if (target == watcher.pid) return reference;  // ERTS does the same: nothing would ever come
  watcher.change_attributes();
  const AliasMode alias = how.alias;
  if (alias != AliasMode::kNone)
    watcher.attributes.aliases.push_back({.reference = reference, .mode = alias});
  watcher.attributes.monitors.push_back({.reference = reference,
                                         .target = target,
                                         .object = object,
                                         .tag = how.tag,
                                         .alias = alias,
                                         .urgency = how.urgency});
  record.note_plain_access(ObjectClass::kLinks, watcher.pid.pid_name(), access::kChange);
  if (target == names.device_pid()) return reference;
  if (known == Watched::kKnown)
    record.note_plain_access(ObjectClass::kMailbox, watcher.pid.pid_name(), access::kChange);
  Process* watched = nullptr;
  if (!target.is_none()) {
    record.note_plain_access(ObjectClass::kLife, target.pid_name(), access::kRead);
    record.note_plain_access(ObjectClass::kLinks, target.pid_name(), access::kChange);
    watched = machine.processes.find_alive(target);
  }
  if (watched != nullptr) {
    const bool drops_alias = alias == AliasMode::kDemonitor || alias == AliasMode::kReplyDemonitor;
    add_watcher(names, *watched,
                {.reference = reference,
                 .pid = watcher.pid,
                 .object = object,
                 .tag = how.tag,
                 .drops_alias = drops_alias,
                 .urgency = how.urgency});
  } else {
    forget_monitor(watcher, watcher.attributes.monitors.size() - 1);
    const Term down = heap.tuple({how.tag, reference, atoms::kProcess, object, atoms::kNoproc});
    deliver(watcher.pid, down, target.is_none() ? atoms::kSystem : target, how.urgency);
  }
  return reference;
}

void Signals::forget_monitor(Process& watcher, std::size_t index) {
  auto& monitors = watcher.change_attributes().monitors;
  const Monitor monitor = monitors[index];
  monitors.erase(monitors.begin() + static_cast<std::ptrdiff_t>(index));
  if (monitor.alias == AliasMode::kDemonitor || monitor.alias == AliasMode::kReplyDemonitor)
    drop_alias(watcher, monitor.reference);
}

bool Signals::demonitor(Process& watcher, Term reference, Demonitor how) {
  if (Names::creator_of(reference) != watcher.pid) return false;  // a monitor of another process
  if (how == Demonitor::kPlain)
    record.note_plain_access(ObjectClass::kMonitor, reference.reference_payload(), access::kWrite);
  if (how == Demonitor::kFlushes)
    record.note_plain_access(ObjectClass::kMailbox, watcher.pid.pid_name(), access::kChange);
  record.note_plain_access(ObjectClass::kWatch, reference.reference_payload(), access::kChange);
  record.note_plain_access(ObjectClass::kAlias, reference.reference_payload(), access::kChange);
  record.note_plain_access(ObjectClass::kLinks, watcher.pid.pid_name(), access::kChange);
  auto& monitors = watcher.attributes.monitors;
  const auto place = std::ranges::find(monitors, reference, &Monitor::reference);
  if (place == monitors.end()) return false;
  const Term target = place->target;
  forget_monitor(watcher, static_cast<std::size_t>(place - monitors.begin()));
  if (target.is_none()) return true;
  const TakenBack taken_back = how == Demonitor::kFlushes ? TakenBack::kUnseen : TakenBack::kSeen;
  if (Process* watched = machine.processes.find_even_ended(target))
    take_back(*watched, reference, taken_back);
  if (machine.channels.are_used()) remember_taken_back(reference, taken_back);
  return true;
}

bool Signals::link(Process& process, Term other, Urgency urgency) {
  if (other == names.device_pid()) {
    add_link(names, process, other);
    set_link_urgency(names, process, other, urgency);
    return true;
  }
  record.note_access(ObjectClass::kLife, other.pid_name(), access::kRead);
  note_link(process.pid, other);
  Process* partner = machine.processes.find_alive(other);
  if (partner == nullptr) return false;
  add_link(names, process, other);
  add_link(names, *partner, process.pid);
  set_link_urgency(names, process, other, urgency);
  return true;
}

void Signals::note_link(Term one, Term other) {
  record.note_plain_access(ObjectClass::kLinks, link_payload(one, other), access::kWrite);
  record.note_plain_access(ObjectClass::kLinks, one.pid_name(), access::kChange);
  record.note_plain_access(ObjectClass::kLinks, other.pid_name(), access::kChange);
}

void Signals::unlink(Process& process, Term other) {
  // Whether there is a link decides on what follows.
  record.note_access(ObjectClass::kLinks, link_payload(process.pid, other), access::kWrite);
  record.note_plain_access(ObjectClass::kLinks, process.pid.pid_name(), access::kChange);
  record.note_plain_access(ObjectClass::kLinks, other.pid_name(), access::kChange);
  auto& former = process.attributes.former_links;
  const auto place = std::ranges::find(former, other, &FormerLink::pid);
  const bool is_former = place != former.end();
  const bool is_linked = remove_link(names, process, other);
  // Where links that are gone are not kept, a link that is there decides which steps the other one's end
  // takes.
  if (is_linked && !machine.endings.keep_former_links())
    record.note_plain_access(ObjectClass::kLife, other.pid_name(), access::kRead);
  if (!is_linked && !is_former) return;
  machine.endings.note_former_link(process, {other, FormerLink::Gone::kUnlinked});
  Process* const partner = machine.processes.find_even_ended(other);
  if (partner == nullptr || !remove_link(names, *partner, process.pid)) return;
  machine.endings.note_former_link(*partner, {process.pid, FormerLink::Gone::kUnlinked});
  machine.endings.forget_if_told(*partner);
}

void Signals::signal_exit(Term sender, Term receiver, Term reason, Urgency urgency) {
  if (receiver.is_reference())
    return machine.channels.transmit(
        sender, Names::creator_of(receiver),
        {.kind = Signal::Kind::kAliasExit, .content = reason, .subject = receiver, .urgency = urgency});
  if (receiver != names.device_pid())
    machine.channels.transmit(sender, receiver, {.kind = Signal::Kind::kExit, .content = reason});
}

// The exit signal of a process that was linked: it counts if the link is still there.
void Signals::take_link_exit(Term ended, Term other, Term reason) {
  record.note_access(ObjectClass::kLinks, link_payload(ended, other), access::kRead);
  record.note_access(ObjectClass::kLife, other.pid_name(), access::kRead);
  record.note_plain_access(ObjectClass::kLinks, other.pid_name(), access::kChange);
  Process* process = machine.processes.find(other);
  if (process == nullptr) return;
  const Urgency urgency = urgency_of_link(*process, ended);
  if (!remove_link(names, *process, ended)) return;
  record.note_access(ObjectClass::kFlags, other.pid_name(), access::kRead);
  if (process->attributes.trap_exit)
    return deliver(other, heap.tuple({atoms::kExitMessage, ended, reason}), ended, urgency);
  if (reason != atoms::kNormal) machine.endings.kill(other, reason, ended);
}

// Of exit/2 of an alias: it counts if the alias is active, which it stays.
void Signals::take_alias_exit(Term sender, Term alias, Term reason, Urgency urgency) {
  record.note_access(ObjectClass::kAlias, alias.reference_payload(), access::kRead);
  const Term owner_pid = Names::creator_of(alias);
  const Process* owner = machine.processes.find_alive(owner_pid);
  Urgency allowed;
  if (owner == nullptr) {
    const Term lasting = map_get(names, machine.shared_terms().lasting_aliases, alias);
    if (lasting.is_none()) return;
    allowed = lasting_alias(alias, lasting).urgency;
  } else {
    const auto place = std::ranges::find(owner->attributes.aliases, alias, &Alias::reference);
    if (place == owner->attributes.aliases.end() || place->mode == kSpent) return;
    allowed = place->urgency;
  }
  take_exit(sender, owner_pid, reason, alias, urgency_by(urgency, allowed));
}

// Of exit/2. To a process that traps exits it is a message, also if that has ended before. `target`: what the
// sender calls it; `normal` ends who sends it to itself, if by its pid.
void Signals::take_exit(Term sender, Term receiver, Term reason, Term target, Urgency urgency) {
  if (reason == atoms::kKill) return machine.endings.kill(receiver, atoms::kKilled, sender);
  record.note_access(ObjectClass::kFlags, receiver.pid_name(), access::kRead);
  const Process* process = machine.processes.find(receiver);
  const bool traps_exits = process != nullptr
                               ? process->attributes.trap_exit
                               : !map_get(names, machine.shared_terms().trapping_ends, receiver).is_none();
  if (traps_exits)
    return deliver(receiver, heap.tuple({atoms::kExitMessage, sender, reason}), sender, urgency);
  if (reason != atoms::kNormal || sender == target) machine.endings.kill(receiver, reason, sender);
}

// ---- Arrival

void Signals::arrive(Term sender, Term receiver, const Signal& signal) {
  switch (signal.kind) {
    case Signal::Kind::kMessage: return deliver(receiver, signal.content, sender);
    case Signal::Kind::kAliasMessage:
      return deliver_to_alias(signal.subject, signal.content, sender, signal.urgency);
    case Signal::Kind::kLinkExit: return take_link_exit(sender, receiver, signal.content);
    case Signal::Kind::kExit:
      return take_exit(sender, receiver, signal.content, receiver, Urgency::kOrdinary);
    case Signal::Kind::kAliasExit:
      return take_alias_exit(sender, signal.subject, signal.content, signal.urgency);
    case Signal::Kind::kDown: return take_down(sender, receiver, signal);
  }
}

// A 'DOWN' message: it counts if the watcher has not given up the monitor meanwhile. Whatever becomes of it,
// it touches the same, as at an end without channels.
void Signals::take_down(Term ended, Term watcher, const Signal& signal) {
  record.note_plain_access(ObjectClass::kMonitor, signal.subject.reference_payload(), access::kRead);
  record.note_plain_access(ObjectClass::kLinks, watcher.pid_name(), access::kChange);
  record.note_plain_access(ObjectClass::kAlias, signal.subject.reference_payload(), access::kChange);
  if (const Term seen = map_get(names, machine.shared_terms().monitors_taken_back, signal.subject);
      !seen.is_none()) {
    machine.change_shared_terms().monitors_taken_back =
        map_remove(heap, names, machine.shared_terms().monitors_taken_back, signal.subject);
    return record.note_sent(watcher, seen == atoms::kTrue ? Term::none() : signal.content,
                            access::kSendInVain, signal.urgency);
  }
  Process* process = machine.processes.find(watcher);
  if (process == nullptr) return record.note_sent(watcher, signal.content, access::kSend, signal.urgency);
  auto& monitors = process->attributes.monitors;
  const auto place = std::ranges::find(monitors, signal.subject, &Monitor::reference);
  CHECK(place != monitors.end());
  forget_monitor(*process, static_cast<std::size_t>(place - monitors.begin()));
  deliver(watcher, signal.content, ended, signal.urgency);
}

void Signals::remember_taken_back(Term monitor, TakenBack how) {
  machine.change_shared_terms().monitors_taken_back =
      map_put(heap, names, machine.shared_terms().monitors_taken_back, monitor,
              atoms::boolean(how == TakenBack::kSeen));
}

// A message to such an alias could have come before the end; one to an alias that was dropped before could
// not.
void Signals::keep_lasting_aliases(const Process& process) {
  if (!options.notes_messages || machine.is_starting_system()) return;
  for (const Alias& alias : process.attributes.aliases) {
    if (alias.mode == kSpent) continue;
    const Term remembered =
        Term::small(static_cast<std::int64_t>(alias.mode) << 1 | static_cast<std::int64_t>(alias.urgency));
    machine.change_shared_terms().lasting_aliases =
        map_put(heap, names, machine.shared_terms().lasting_aliases, alias.reference, remembered);
  }
}

}  // namespace ravel::erlang
