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

}  // namespace

// ---- Processes -------------------------------------------------------------------------------------------

Process& Machine::new_process(Term pid) {
  Process* process;
  if (spare_.empty()) {
    process = all_.emplace_back(std::make_unique<Process>(pid)).get();
  } else {
    process = spare_.back();
    spare_.pop_back();
    process->pid = pid;
    process->reset_stack();
  }
  process->note_changes_in(names.is_below_system(pid) ? &has_system_changed_ : nullptr);
  process->touch();
  process->rest = Rest::kReady;
  process->started = false;
  process->pc = process->cp = process->after_pc = nullptr;
  process->arguments.clear();
  process->exit_reason = process->exit_origin = process->timeout = Term::none();
  process->exit_trace = process->frozen_stack = Term::nil();
  process->exit_class = ErrorClass::kExit;
  process->ends_by_exception = false;
  process->mailbox.clear();
  process->receive_at = 0;
  process->receive_pc = nullptr;
  process->wakes_on_message = process->has_noticed_block = false;
  process->is_top_frozen = process->has_frozen_frame = false;
  Attributes& attributes = process->attributes;
  attributes = Attributes{};
  attributes.group_leader = names.device_pid();
  attributes.initial_call = attributes.parent = Term::none();
  attributes.dictionary = empty_map(heap);
  process->image = process->attributes_image = process->mailbox_image = Term::none();
  if (by_name_.size() < names.pid_count()) by_name_.resize(names.pid_count(), nullptr);
  CHECK(by_name_[pid.pid_name()] == nullptr);
  by_name_[pid.pid_name()] = process;
  put_in_order(*process);
  return *process;
}

void Machine::put_in_order(Process& process) {
  const auto is_before = [&](const Process* a, Term pid) { return names.compare_pids(a->pid, pid) < 0; };
  const auto place = std::lower_bound(order_.begin(), order_.end(), process.pid, is_before);
  if (place == order_.end() || *place != &process) order_.insert(place, &process);
}

void Machine::remove_process(Process& process) {
  CHECK(by_name_[process.pid.pid_name()] == &process);
  by_name_[process.pid.pid_name()] = nullptr;
  order_.erase(std::ranges::find(order_, &process));
  std::erase(unsettled_, &process);
  spare_.push_back(&process);
}

Process* Machine::find_alive(Term pid) const {
  Process* process = find_process(pid);
  return process == nullptr || process->is_killed() ? nullptr : process;
}

Spawned Machine::spawn(Process& parent, const SpawnRequest& request) {
  const Term pid = names.child_pid(parent.pid, ++parent.change_attributes().children);
  note_access(ObjectClass::kProcessTable, kAllProcesses, access::kChange);
  note_access(ObjectClass::kLife, pid.pid_name(), access::kCreate);
  note_plain_access(ObjectClass::kRun, pid.pid_name(), access::kCreate);
  if (request.link) note_plain_access(ObjectClass::kLinks, parent.pid.pid_name(), access::kChange);
  Process& child = new_process(pid);
  Attributes& attributes = child.change_attributes();
  attributes.group_leader = parent.attributes.group_leader;
  attributes.parent = parent.pid;
  attributes.priority = request.priority;
  const bool is_fun_call = !request.fun.is_none();
  if (is_fun_call) {
    attributes.initial_call = heap.tuple({atoms::kErlang, atoms::kApply, Term::small(2)});
    prepare_start_fun(child, request.fun, request.arguments);
  } else {
    attributes.initial_call = heap.tuple({request.module, request.function, arity_of(request.arguments)});
    prepare_start(child, request.module, request.function, request.arguments);
  }
  if (request.link) {
    add_link(names, parent, pid);
    add_link(names, child, parent.pid);
    set_link_urgency(names, parent, pid, request.link_urgency);
  }
  Spawned spawned{.pid = pid};
  if (request.monitor) spawned.monitor = monitor(parent, pid, pid, *request.monitor, Watched::kNew);
  unsettled_.push_back(&child);
  return spawned;
}

// The alias would have gone now, had its process lived.
void Machine::forget_lasting_alias(Term reference) {
  if (map_get(names, shared_terms_.lasting_aliases, reference).is_none()) return;
  change_shared_terms().lasting_aliases = map_remove(heap, names, shared_terms_.lasting_aliases, reference);
}

void Machine::take_back(Process& watched, Term reference, TakenBack how) {
  auto& watchers = watched.change_attributes().watchers;
  const auto place = std::ranges::find(watchers, reference, &Watcher::reference);
  if (place == watchers.end()) return;
  if ((options.notes_messages && !is_starting_system_) || ends_stepwise()) {
    place->taken_back = how;
  } else {
    watchers.erase(place);
  }
}

// ---- Messages --------------------------------------------------------------------------------------------

// A message has come to this place. What lay there before, and after it, has moved.
void Machine::look_again(Process& process, std::size_t place) {
  const bool has_matched_before = process.rest == Rest::kMatched && process.receive_at < place;
  const bool is_in_receive =
      process.rest == Rest::kWaiting || process.rest == Rest::kTimeout || process.rest == Rest::kMatched;
  if (!is_in_receive || has_matched_before) return;
  process.receive_at = std::min(process.receive_at, place);
  if (std::ranges::find(unsettled_, &process) == unsettled_.end()) unsettled_.push_back(&process);
}

void Machine::deliver(Term pid, Term content, Term sender, Urgency urgency) {
  if (pid == names.device_pid()) return answer_as_device(content);
  // Also if nobody is there any more: it could have come earlier.
  note_sent(pid, content, access::kSend, urgency);
  if (urgency == Urgency::kPriority) event_.is_priority = true;
  Process* process = find_alive(pid);
  if (process == nullptr) return;
  process->touch();
  process->mailbox_image = Term::none();
  look_again(*process, process->mailbox.add({.content = content, .sender = sender}, urgency));
}

bool Machine::send(Process& sender, Term target, Term content, Urgency urgency) {
  event_.kind = OperationKind::kSend;
  event_.subject = target;
  event_.object = Term::none();
  event_.value = content;
  Term receiver = target;
  if (target.is_reference()) {
    if (has_channels() && is_alive(Names::creator_of(target))) event_.object = Names::creator_of(target);
    transmit(
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
        refuse(
            "a message to another node leaves the program: a search has one node, nonode@nohost; replace it "
            "in the test");
        return true;
      }
    }
    receiver = named_process(name);
    if (receiver.is_none()) return !target.is_atom();
  }
  if (!receiver.is_pid()) {
    if (receiver.is_port() || is_kind(receiver, Kind::kForeign)) {
      refuse(
          "a message to a port or to another node leaves the program, so no schedule can control it; replace "
          "it in the test");
      return true;
    }
    return false;
  }
  if (is_alive(receiver)) event_.object = receiver;
  transmit(sender.pid, receiver, {.kind = Signal::Kind::kMessage, .content = content});
  return true;
}

// A message, or an exit signal, goes ahead of others if both its sender and who made the alias have said so.
Urgency Machine::urgency_by(Urgency sender, Urgency alias) {
  return sender == Urgency::kPriority ? alias : Urgency::kOrdinary;
}

// Whatever becomes of it, it touches the same: only the alias's owner could tell.
void Machine::deliver_to_alias(Term reference, Term content, Term sender, Urgency urgency) {
  const Term owner_pid = Names::creator_of(reference);
  note_plain_access(ObjectClass::kAlias, reference.reference_payload(), access::kWrite);
  Process* owner = find_alive(owner_pid);
  if (owner == nullptr) {
    const Term lasting = map_get(names, shared_terms_.lasting_aliases, reference);
    if (lasting.is_none()) return note_sent(owner_pid, Term::none(), access::kSendInVain);
    const Alias alias = lasting_alias(reference, lasting);
    if (alias.mode == AliasMode::kReply || alias.mode == AliasMode::kReplyDemonitor)
      forget_lasting_alias(reference);
    return note_sent(owner_pid, content, access::kSend, urgency_by(urgency, alias.urgency));
  }
  const auto& aliases = owner->attributes.aliases;
  const auto place = std::ranges::find(aliases, reference, &Alias::reference);
  if (place == aliases.end() || place->mode == kSpent)
    return note_sent(owner_pid, Term::none(), access::kSendInVain);
  const AliasMode mode = place->mode;
  event_.object = owner_pid;
  deliver(owner_pid, content, sender, urgency_by(urgency, place->urgency));
  if (mode == AliasMode::kReply) drop_alias(*owner, reference);
  if (mode != AliasMode::kReplyDemonitor) return;
  note_plain_access(ObjectClass::kLinks, owner_pid.pid_name(), access::kChange);
  demonitor(*owner, reference, Demonitor::kPlain);
}

// ---- Aliases, monitors, links ----------------------------------------------------------------------------

Term Machine::make_reference(Process& creator) {
  return Names::make_reference(creator.pid, ++creator.change_attributes().references_made);
}

Term Machine::make_alias(Process& owner, AliasMode mode, Urgency urgency) {
  const Term reference = make_reference(owner);
  owner.attributes.aliases.push_back({.reference = reference, .mode = mode, .urgency = urgency});
  return reference;
}

bool Machine::drop_alias(Process& owner, Term reference) {
  forget_lasting_alias(reference);  // if the owner has been killed, but has not ended
  const auto place = std::ranges::find(owner.attributes.aliases, reference, &Alias::reference);
  if (place == owner.attributes.aliases.end() || place->mode == kSpent) return false;
  owner.change_attributes();
  if (place->mode == AliasMode::kReplyDemonitor && options.notes_messages && !is_starting_system_) {
    place->mode = kSpent;
  } else {
    owner.attributes.aliases.erase(place);
  }
  return true;
}

bool Machine::unalias(Process& owner, Term reference) {
  note_plain_access(ObjectClass::kAlias, reference.reference_payload(), access::kWrite);
  if (!drop_alias(owner, reference)) return false;
  const auto place = std::ranges::find(owner.attributes.monitors, reference, &Monitor::reference);
  if (place != owner.attributes.monitors.end()) place->alias = AliasMode::kNone;
  return true;
}

// Whether the other one lives changes nothing but whether there is a message, which only the watcher
// receives.
Term Machine::monitor(Process& watcher, Term target, Term object, const MonitorOptions& how, Watched known) {
  const Term reference = make_reference(watcher);
  if (target == watcher.pid) return reference;  // ERTS does the same: nothing would ever come
  const AliasMode alias = how.alias;
  if (alias != AliasMode::kNone)
    watcher.attributes.aliases.push_back({.reference = reference, .mode = alias});
  watcher.attributes.monitors.push_back({.reference = reference,
                                         .target = target,
                                         .object = object,
                                         .tag = how.tag,
                                         .alias = alias,
                                         .urgency = how.urgency});
  note_plain_access(ObjectClass::kLinks, watcher.pid.pid_name(), access::kChange);
  if (target == names.device_pid()) return reference;
  if (known == Watched::kKnown)
    note_plain_access(ObjectClass::kMailbox, watcher.pid.pid_name(), access::kChange);
  Process* watched = nullptr;
  if (!target.is_none()) {
    note_plain_access(ObjectClass::kLife, target.pid_name(), access::kRead);
    note_plain_access(ObjectClass::kLinks, target.pid_name(), access::kChange);
    watched = find_alive(target);
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

void Machine::forget_monitor(Process& watcher, std::size_t index) {
  auto& monitors = watcher.change_attributes().monitors;
  const Monitor monitor = monitors[index];
  monitors.erase(monitors.begin() + static_cast<std::ptrdiff_t>(index));
  if (monitor.alias == AliasMode::kDemonitor || monitor.alias == AliasMode::kReplyDemonitor)
    drop_alias(watcher, monitor.reference);
}

bool Machine::demonitor(Process& watcher, Term reference, Demonitor how) {
  if (Names::creator_of(reference) != watcher.pid) return false;  // a monitor of another process
  if (how == Demonitor::kPlain)
    note_plain_access(ObjectClass::kMonitor, reference.reference_payload(), access::kWrite);
  if (how == Demonitor::kFlushes)
    note_plain_access(ObjectClass::kMailbox, watcher.pid.pid_name(), access::kChange);
  note_plain_access(ObjectClass::kWatch, reference.reference_payload(), access::kChange);
  note_plain_access(ObjectClass::kAlias, reference.reference_payload(), access::kChange);
  note_plain_access(ObjectClass::kLinks, watcher.pid.pid_name(), access::kChange);
  auto& monitors = watcher.attributes.monitors;
  const auto place = std::ranges::find(monitors, reference, &Monitor::reference);
  if (place == monitors.end()) return false;
  const Term target = place->target;
  forget_monitor(watcher, static_cast<std::size_t>(place - monitors.begin()));
  if (target.is_none()) return true;
  const TakenBack taken_back = how == Demonitor::kFlushes ? TakenBack::kUnseen : TakenBack::kSeen;
  if (Process* watched = find_even_ended(target)) take_back(*watched, reference, taken_back);
  if (has_channels()) remember_taken_back(reference, taken_back);
  return true;
}

bool Machine::link(Process& process, Term other, Urgency urgency) {
  if (other == names.device_pid()) {
    add_link(names, process, other);
    set_link_urgency(names, process, other, urgency);
    return true;
  }
  note_access(ObjectClass::kLife, other.pid_name(), access::kRead);
  note_link(process.pid, other);
  Process* partner = find_alive(other);
  if (partner == nullptr) return false;
  add_link(names, process, other);
  add_link(names, *partner, process.pid);
  set_link_urgency(names, process, other, urgency);
  return true;
}

void Machine::note_link(Term one, Term other) {
  note_plain_access(ObjectClass::kLinks, link_payload(one, other), access::kWrite);
  note_plain_access(ObjectClass::kLinks, one.pid_name(), access::kChange);
  note_plain_access(ObjectClass::kLinks, other.pid_name(), access::kChange);
}

void Machine::unlink(Process& process, Term other) {
  // Whether there is a link decides on what follows.
  note_access(ObjectClass::kLinks, link_payload(process.pid, other), access::kWrite);
  note_plain_access(ObjectClass::kLinks, process.pid.pid_name(), access::kChange);
  note_plain_access(ObjectClass::kLinks, other.pid_name(), access::kChange);
  auto& former = process.attributes.former_links;
  const auto place = std::ranges::find(former, other, &FormerLink::pid);
  const bool is_former = place != former.end();
  const bool is_linked = remove_link(names, process, other);
  // Where links that are gone are not kept, a link that is there decides which steps the other one's end
  // takes.
  if (is_linked && !keeps_former_links())
    note_plain_access(ObjectClass::kLife, other.pid_name(), access::kRead);
  if (!is_linked && !is_former) return;
  note_former_link(process, {other, FormerLink::Gone::kUnlinked});
  Process* const partner = find_even_ended(other);
  if (partner != nullptr && remove_link(names, *partner, process.pid))
    note_former_link(*partner, {process.pid, FormerLink::Gone::kUnlinked});
}

void Machine::signal_exit(Term sender, Term receiver, Term reason, Urgency urgency) {
  if (receiver.is_reference())
    return transmit(
        sender, Names::creator_of(receiver),
        {.kind = Signal::Kind::kAliasExit, .content = reason, .subject = receiver, .urgency = urgency});
  if (receiver != names.device_pid())
    transmit(sender, receiver, {.kind = Signal::Kind::kExit, .content = reason});
}

// The exit signal of a process that was linked: it counts if the link is still there.
void Machine::take_link_exit(Term ended, Term other, Term reason) {
  note_access(ObjectClass::kLinks, link_payload(ended, other), access::kRead);
  note_access(ObjectClass::kLife, other.pid_name(), access::kRead);
  note_plain_access(ObjectClass::kLinks, other.pid_name(), access::kChange);
  Process* process = find_process(other);
  if (process == nullptr) return;
  const Urgency urgency = urgency_of_link(*process, ended);
  if (!remove_link(names, *process, ended)) return;
  note_access(ObjectClass::kFlags, other.pid_name(), access::kRead);
  if (process->attributes.trap_exit)
    return deliver(other, heap.tuple({atoms::kExitMessage, ended, reason}), ended, urgency);
  if (reason != atoms::kNormal) kill(other, reason, ended);
}

// Of exit/2 of an alias: it counts if the alias is active, which it stays.
void Machine::take_alias_exit(Term sender, Term alias, Term reason, Urgency urgency) {
  note_plain_access(ObjectClass::kAlias, alias.reference_payload(), access::kRead);
  const Term owner_pid = Names::creator_of(alias);
  const Process* owner = find_alive(owner_pid);
  Urgency allowed;
  if (owner == nullptr) {
    const Term lasting = map_get(names, shared_terms_.lasting_aliases, alias);
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
void Machine::take_exit(Term sender, Term receiver, Term reason, Term target, Urgency urgency) {
  if (reason == atoms::kKill) return kill(receiver, atoms::kKilled, sender);
  note_access(ObjectClass::kFlags, receiver.pid_name(), access::kRead);
  const Process* process = find_process(receiver);
  const bool traps_exits = process != nullptr
                               ? process->attributes.trap_exit
                               : !map_get(names, shared_terms_.trapping_ends, receiver).is_none();
  if (traps_exits)
    return deliver(receiver, heap.tuple({atoms::kExitMessage, sender, reason}), sender, urgency);
  if (reason != atoms::kNormal || sender == target) kill(receiver, reason, sender);
}

}  // namespace ravel::erlang
