#include "erlang/machine/signals.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "erlang/machine/machine.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

bool is_killed(const Process& process) {
  return process.rest == Rest::kEnding && !process.exit_origin.is_none();
}

// Where a pid stands, or would stand, among links.
auto find_link(const Names& names, std::vector<Term>& links, Term pid) {
  return std::ranges::lower_bound(links, pid, [&](Term a, Term b) { return names.compare_pids(a, b) < 0; });
}

void add_link(const Names& names, Process& process, Term other) {
  auto& links = process.change_attributes().links;
  const auto place = find_link(names, links, other);
  if (place == links.end() || *place != other) links.insert(place, other);
}

bool remove_link(const Names& names, Process& process, Term other) {
  auto& links = process.attributes.links;
  const auto place = find_link(names, links, other);
  if (place == links.end() || *place != other) return false;
  process.change_attributes();
  links.erase(place);
  return true;
}

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
  return process == nullptr || is_killed(*process) ? nullptr : process;
}

Spawned Machine::spawn(Process& parent, const SpawnRequest& request) {
  const Term pid = names.child_pid(parent.pid, ++parent.change_attributes().children);
  note_access(ObjectClass::kProcessTable, kAllProcesses, access::kChange);
  note_access(ObjectClass::kLife, pid.pid_name(), access::kCreate);
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
  }
  Spawned spawned{.pid = pid};
  if (request.monitor)
    spawned.monitor = monitor(parent, pid, pid, request.monitor_tag, request.monitor_alias);
  unsettled_.push_back(&child);
  return spawned;
}

void Machine::kill(Process& process, Term reason, Term origin) {
  note_access(ObjectClass::kLife, process.pid.pid_name(), access::kWrite);
  if (process.rest == Rest::kEnding) return;
  note_plain_access(ObjectClass::kMailbox, process.pid.pid_name(), access::kWrite);
  process.touch();
  if (process.rest == Rest::kTimeout) note_deadline_change();
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
  std::erase(unsettled_, &process);
}

// The steps stand in the order that signals.h promises.
void Machine::end(Process& process) {
  CHECK(process.rest == Rest::kEnding);
  const Term pid = process.pid;
  const Term reason = process.exit_reason;
  note_access(ObjectClass::kLife, pid.pid_name(), access::kWrite);
  note_access(ObjectClass::kProcessTable, kAllProcesses, access::kChange);
  std::erase_if(timers_, [&](const Timer& timer) {
    if (timer.target != pid || options.notes_messages) return false;
    note_access(ObjectClass::kTimer, timer.reference.reference_payload(), access::kWrite);
    note_deadline_change();
    global_image_ = Term::none();
    return true;
  });
  release_tables(process);
  if (!process.attributes.registered_name.is_none()) unregister_name(process.attributes.registered_name);
  remove_watchers_of_ended(process);
  const std::vector<Term> links = std::move(process.attributes.links);
  const std::vector<Watcher> watchers = std::move(process.attributes.watchers);
  remove_process(process);
  for (const Term other : links) signal_exit(pid, other, reason, ExitSignal::kLink);
  for (const Watcher& watcher : watchers) {
    Process* receiver = find_process(watcher.pid);
    CHECK(receiver != nullptr);
    auto& monitors = receiver->attributes.monitors;
    const auto place = std::ranges::find(monitors, watcher.reference, &Monitor::reference);
    CHECK(place != monitors.end());
    note_access(ObjectClass::kMonitor, watcher.reference.reference_payload(), access::kWrite);
    forget_monitor(*receiver, static_cast<std::size_t>(place - monitors.begin()));
    deliver(watcher.pid,
            heap.tuple({watcher.tag, watcher.reference, atoms::kProcess, watcher.object, reason}), pid);
  }
}

// The monitors that an ended process held.
void Machine::remove_watchers_of_ended(Process& process) {
  for (const Monitor& monitor : process.attributes.monitors) {
    Process* target = monitor.target.is_none() ? nullptr : find_process(monitor.target);
    if (target == nullptr) continue;
    std::erase_if(target->change_attributes().watchers,
                  [&](const Watcher& watcher) { return watcher.reference == monitor.reference; });
    note_access(ObjectClass::kLinks, monitor.target.pid_name(), access::kChange);
  }
}

// ---- Messages --------------------------------------------------------------------------------------------

void Machine::look_again(Process& process) {
  const bool is_in_receive = process.rest == Rest::kWaiting || process.rest == Rest::kTimeout;
  if (is_in_receive && std::ranges::find(unsettled_, &process) == unsettled_.end())
    unsettled_.push_back(&process);
}

void Machine::deliver(Term pid, Term content, Term sender) {
  if (pid == names.device_pid()) return answer_as_device(content);
  // Also if nobody is there any more: it could have come earlier.
  note_sent(pid, content);
  Process* process = find_alive(pid);
  if (process == nullptr) return;
  process->touch();
  process->mailbox_image = Term::none();
  process->mailbox.push_back({.content = content, .sender = sender});
  look_again(*process);
}

bool Machine::send(Process& sender, Term target, Term content) {
  event_.kind = OperationKind::kSend;
  event_.subject = target;
  event_.object = Term::none();
  event_.value = content;
  Term receiver = target;
  if (target.is_reference()) {
    send_to_alias(sender, target, content);
    return true;
  }
  if (target.is_atom() || is_tuple_of(target, 2)) {
    Term name = target;
    if (!target.is_atom()) {
      name = element(target, 1);
      const Term node = element(target, 2);
      if (!name.is_atom() || !node.is_atom()) return false;
      if (node != atoms::kNoname) {
        refuse("a message to another node leaves the program: a search has one node, nonode@nohost; replace it in the test");
        return true;
      }
    }
    receiver = named_process(name);
    if (receiver.is_none()) return !target.is_atom();
  }
  if (!receiver.is_pid()) {
    if (receiver.is_port() || is_kind(receiver, Kind::kForeign)) {
      refuse("a message to a port or to another node leaves the program, so no schedule can control it; replace it in the test");
      return true;
    }
    return false;
  }
  if (is_alive(receiver)) event_.object = receiver;
  deliver(receiver, content, sender.pid);
  return true;
}

void Machine::send_to_alias(Process& sender, Term reference, Term content) {
  const Term owner_pid = Names::creator_of(reference);
  Process* owner = find_alive(owner_pid);
  if (owner == nullptr) {
    note_access(ObjectClass::kAlias, reference.reference_payload(), access::kRead);
    note_sent(owner_pid, content);
    return;
  }
  const auto& aliases = owner->attributes.aliases;
  const auto place = std::ranges::find(aliases, reference, &Alias::reference);
  if (place == aliases.end()) {
    note_access(ObjectClass::kAlias, reference.reference_payload(), access::kRead);
    return;
  }
  const AliasMode mode = place->mode;
  const bool is_used_up = mode == AliasMode::kReply || mode == AliasMode::kReplyDemonitor;
  note_access(ObjectClass::kAlias, reference.reference_payload(),
              is_used_up ? access::kWrite : access::kRead);
  event_.object = owner_pid;
  deliver(owner_pid, content, sender.pid);
  if (mode == AliasMode::kReply) drop_alias(*owner, reference);
  if (mode == AliasMode::kReplyDemonitor) demonitor(*owner, reference);
}

// ---- Aliases, monitors, links ----------------------------------------------------------------------------

Term Machine::make_reference(Process& creator) {
  return Names::make_reference(creator.pid, ++creator.change_attributes().references_made);
}

Term Machine::make_alias(Process& owner, AliasMode mode) {
  const Term reference = make_reference(owner);
  owner.attributes.aliases.push_back({.reference = reference, .mode = mode});
  return reference;
}

bool Machine::drop_alias(Process& owner, Term reference) {
  note_access(ObjectClass::kAlias, reference.reference_payload(), access::kWrite);
  const auto place = std::ranges::find(owner.attributes.aliases, reference, &Alias::reference);
  if (place == owner.attributes.aliases.end()) return false;
  owner.change_attributes();
  owner.attributes.aliases.erase(place);
  return true;
}

bool Machine::unalias(Process& owner, Term reference) {
  if (!drop_alias(owner, reference)) return false;
  const auto place = std::ranges::find(owner.attributes.monitors, reference, &Monitor::reference);
  if (place != owner.attributes.monitors.end()) place->alias = AliasMode::kNone;
  return true;
}

Term Machine::monitor(Process& watcher, Term target, Term object, Term tag, AliasMode alias) {
  const Term reference = make_reference(watcher);
  if (target == watcher.pid) return reference;  // ERTS does the same: nothing would ever come
  if (alias != AliasMode::kNone)
    watcher.attributes.aliases.push_back({.reference = reference, .mode = alias});
  watcher.attributes.monitors.push_back(
      {.reference = reference, .target = target, .object = object, .tag = tag, .alias = alias});
  if (target == names.device_pid()) return reference;
  Process* watched = nullptr;
  if (!target.is_none()) {
    note_access(ObjectClass::kLife, target.pid_name(), access::kRead);
    watched = find_alive(target);
  }
  if (watched != nullptr) {
    note_access(ObjectClass::kLinks, target.pid_name(), access::kChange);
    add_watcher(names, *watched, {.reference = reference, .pid = watcher.pid, .object = object, .tag = tag});
  } else {
    forget_monitor(watcher, watcher.attributes.monitors.size() - 1);
    const Term down = heap.tuple({tag, reference, atoms::kProcess, object, atoms::kNoproc});
    deliver(watcher.pid, down, target.is_none() ? atoms::kSystem : target);
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

bool Machine::demonitor(Process& watcher, Term reference) {
  note_access(ObjectClass::kMonitor, reference.reference_payload(), access::kWrite);
  auto& monitors = watcher.attributes.monitors;
  const auto place = std::ranges::find(monitors, reference, &Monitor::reference);
  if (place == monitors.end()) return false;
  const Term target = place->target;
  if (!target.is_none()) {
    note_access(ObjectClass::kLife, target.pid_name(), access::kRead);
    note_access(ObjectClass::kLinks, target.pid_name(), access::kChange);
  }
  forget_monitor(watcher, static_cast<std::size_t>(place - monitors.begin()));
  if (Process* watched = target.is_none() ? nullptr : find_process(target))
    std::erase_if(watched->change_attributes().watchers,
                  [&](const Watcher& entry) { return entry.reference == reference; });
  return true;
}

bool Machine::link(Process& process, Term other) {
  if (other == names.device_pid()) {
    add_link(names, process, other);
    return true;
  }
  note_access(ObjectClass::kLife, other.pid_name(), access::kRead);
  note_access(ObjectClass::kLinks, link_payload(process.pid, other), access::kWrite);
  note_access(ObjectClass::kLinks, process.pid.pid_name(), access::kChange);
  note_access(ObjectClass::kLinks, other.pid_name(), access::kChange);
  Process* partner = find_alive(other);
  if (partner == nullptr) return false;
  add_link(names, process, other);
  add_link(names, *partner, process.pid);
  return true;
}

void Machine::unlink(Process& process, Term other) {
  note_access(ObjectClass::kLife, other.pid_name(), access::kRead);
  note_access(ObjectClass::kLinks, link_payload(process.pid, other), access::kWrite);
  note_access(ObjectClass::kLinks, process.pid.pid_name(), access::kChange);
  note_access(ObjectClass::kLinks, other.pid_name(), access::kChange);
  if (!remove_link(names, process, other)) return;
  if (Process* partner = find_process(other)) remove_link(names, *partner, process.pid);
}

void Machine::signal_exit(Term sender, Term receiver, Term reason, ExitSignal signal) {
  if (receiver == names.device_pid()) return;
  note_access(ObjectClass::kLife, receiver.pid_name(), access::kRead);
  Process* process = find_process(receiver);
  if (process == nullptr) return;
  if (signal == ExitSignal::kLink) {
    note_access(ObjectClass::kLinks, link_payload(sender, receiver), access::kWrite);
    note_access(ObjectClass::kLinks, receiver.pid_name(), access::kChange);
    if (!remove_link(names, *process, sender)) return;
  }
  if (signal == ExitSignal::kExplicit && reason == atoms::kKill)
    return kill(*process, atoms::kKilled, sender);
  note_access(ObjectClass::kFlags, receiver.pid_name(), access::kRead);
  if (process->attributes.trap_exit)
    return deliver(receiver, heap.tuple({atoms::kExitMessage, sender, reason}), sender);
  if (reason == atoms::kNormal && (signal == ExitSignal::kLink || sender != receiver)) return;
  kill(*process, reason, sender);
}

}  // namespace ravel::erlang
