// Built-ins that tie processes together: links, monitors, aliases, exit signals.
#include "erlang/bif/process_family.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

using atoms::boolean;

// The exit signals of exit/2 and exit_signal/2, which differ in what `normal` does to oneself.
enum class NormalToSelf : std::uint8_t { kEnds, kIsIgnored };

Term send_exit(Call& call, Term target, Term reason, NormalToSelf normal,
               Urgency urgency = Urgency::kOrdinary) {
  if (target.is_port() || is_foreign(target, atoms::kPort)) return refuse(call, "erlang:exit/2", kPorts);
  if (is_foreign(target, atoms::kPid)) return refuse(call, "erlang:exit/2", kOtherNodes);
  const bool is_alias = target.is_reference() && installed_release().has_priority_messages;
  if (!target.is_pid() && !is_alias) return call.badarg();
  Process& self = call.self();
  const bool is_ignored = normal == NormalToSelf::kIsIgnored && target == self.pid &&
                          reason == atoms::kNormal && !self.attributes.trap_exit;
  if (!is_ignored) call.machine.signals.signal_exit(self.pid, target, reason, urgency);
  return atoms::kTrue;
}

Term monitor_name(Call& call, Term name, const MonitorOptions& options) {
  const Term object = call.heap.tuple({name, atoms::kNoname});
  return call.machine.signals.monitor(call.self(), call.machine.registry.named_process(name), object,
                                      options);
}

Term monitor_with(Call& call, Term type, Term target, const MonitorOptions& options) {
  if (type == atoms::kPort) {
    if (!target.is_port() && !target.is_atom() && !is_tuple_of(target, 2)) return call.badarg();
    return refuse(call, "erlang:monitor/2", kPorts);
  }
  if (type == atoms::kTimeOffset) {
    if (target != atoms::kClockService) return call.badarg();
    return refuse(call, "erlang:monitor/2",
                  " of time_offset waits for the clock of the host, which stands still here");
  }
  if (type != atoms::kProcess) return call.fail(atoms::kBadarg, atoms::kBadtype);
  if (target.is_pid()) return call.machine.signals.monitor(call.self(), target, target, options);
  if (target.is_atom()) return monitor_name(call, target, options);
  if (is_foreign(target, atoms::kPid)) return refuse(call, "erlang:monitor/2", kOtherNodes);
  // Another node is badarg, as on every node that is not alive.
  const bool is_name_here =
      is_tuple_of(target, 2) && element(target, 1).is_atom() && element(target, 2) == atoms::kNoname;
  return is_name_here ? monitor_name(call, element(target, 1), options) : call.badarg();
}

// Takes the first message {_, Reference, _, _, _} out of the mailbox.
void flush_down(Call& call, Term reference) {
  Process& self = call.self();
  for (std::size_t place = 0; place < self.mailbox.size(); ++place) {
    const Term content = self.mailbox[place].content;
    if (!is_tuple_of(content, 5) || element(content, 2) != reference) continue;
    self.touch();
    self.mailbox_image = Term::none();
    call.machine.record.note_message(self.pid, access::kRemove, place);
    self.mailbox.remove(place);
    return;
  }
}

bool is_own_alias(const Call& call, Term reference, Term self) {
  return reference.is_reference() && call.names.creator_of(reference) == self;
}

}  // namespace

std::optional<MonitorOptions> parse_monitor_options(Term list) {
  MonitorOptions options;
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    if (option == atoms::kPriority && installed_release().has_priority_messages) {
      options.urgency = Urgency::kPriority;
      continue;
    }
    if (!is_tuple_of(option, 2)) return std::nullopt;
    const Term value = element(option, 2);
    if (element(option, 1) == atoms::kTag) {
      options.tag = value;
    } else if (element(option, 1) != atoms::kAlias) {
      return std::nullopt;
    } else if (value == atoms::kExplicitUnalias) {
      options.alias = AliasMode::kExplicitUnalias;
    } else if (value == atoms::kDemonitor) {
      options.alias = AliasMode::kDemonitor;
    } else if (value == atoms::kReplyDemonitor) {
      options.alias = AliasMode::kReplyDemonitor;
    } else {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return options;
}

std::optional<Urgency> parse_urgency(Term list) {
  Urgency urgency = Urgency::kOrdinary;
  for (; list.is_cons(); list = list.tail()) {
    if (list.head() != atoms::kPriority) return std::nullopt;
    urgency = Urgency::kPriority;
  }
  if (!list.is_nil()) return std::nullopt;
  return urgency;
}

Term alias_1(Call& call, const Term* arguments) {
  AliasMode mode = AliasMode::kExplicitUnalias;
  Urgency urgency = Urgency::kOrdinary;
  Term rest = arguments[0];
  for (; rest.is_cons(); rest = rest.tail()) {
    if (rest.head() == atoms::kExplicitUnalias) {
      mode = AliasMode::kExplicitUnalias;
    } else if (rest.head() == atoms::kReply) {
      mode = AliasMode::kReply;
    } else if (rest.head() == atoms::kPriority && installed_release().has_priority_messages) {
      urgency = Urgency::kPriority;
    } else {
      return call.badarg();
    }
  }
  if (!rest.is_nil()) return call.badarg();
  return call.machine.signals.make_alias(call.self(), mode, urgency);
}

Term unalias_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_reference() && !is_foreign(arguments[0], atoms::kReference)) return call.badarg();
  if (!is_own_alias(call, arguments[0], call.self().pid)) return atoms::kFalse;
  return boolean(call.machine.signals.unalias(call.self(), arguments[0]));
}

Term monitor_2(Call& call, const Term* arguments) {
  return monitor_with(call, arguments[0], arguments[1], {});
}

Term monitor_3(Call& call, const Term* arguments) {
  const auto options = parse_monitor_options(arguments[2]);
  if (!options) return call.fail(atoms::kBadarg, atoms::kBadopt);
  return monitor_with(call, arguments[0], arguments[1], *options);
}

Term demonitor_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_reference()) return call.badarg();
  call.machine.signals.demonitor(call.self(), arguments[0]);
  return atoms::kTrue;
}

Term demonitor_2(Call& call, const Term* arguments) {
  bool flush = false;
  bool info = false;
  Term rest = arguments[1];
  for (; rest.is_cons(); rest = rest.tail()) {
    if (rest.head() == atoms::kFlush) {
      flush = true;
    } else if (rest.head() == atoms::kInfo) {
      info = true;
    } else {
      return call.badarg();
    }
  }
  if (!rest.is_nil() || !arguments[0].is_reference()) return call.badarg();
  const bool existed = call.machine.signals.demonitor(
      call.self(), arguments[0], flush && !info ? Demonitor::kFlushes : Demonitor::kPlain);
  if (!existed && flush) flush_down(call, arguments[0]);
  return boolean(existed || !info);
}

namespace {

Term link_with(Call& call, Term other, Urgency urgency) {
  if (other.is_port() || is_foreign(other, atoms::kPort)) return refuse(call, "erlang:link/1", kPorts);
  if (is_foreign(other, atoms::kPid)) return refuse(call, "erlang:link/1", kOtherNodes);
  if (!other.is_pid()) return call.badarg();
  Process& self = call.self();
  if (other == self.pid || call.machine.signals.link(self, other, urgency)) return atoms::kTrue;
  if (!self.attributes.trap_exit) return call.fail(atoms::kNoproc);
  call.machine.signals.deliver(self.pid, call.heap.tuple({atoms::kExitMessage, other, atoms::kNoproc}), other,
                               urgency);
  return atoms::kTrue;
}

}  // namespace

Term link_1(Call& call, const Term* arguments) { return link_with(call, arguments[0], Urgency::kOrdinary); }

Term link_2(Call& call, const Term* arguments) {
  const auto urgency = parse_urgency(arguments[1]);
  return urgency ? link_with(call, arguments[0], *urgency) : call.fail(atoms::kBadarg, atoms::kBadopt);
}

Term unlink_1(Call& call, const Term* arguments) {
  const Term other = arguments[0];
  if (other.is_port() || is_foreign(other, atoms::kPort) || is_foreign(other, atoms::kPid))
    return atoms::kTrue;
  if (!other.is_pid()) return call.badarg();
  if (other != call.self().pid) call.machine.signals.unlink(call.self(), other);
  return atoms::kTrue;
}

Term exit_2(Call& call, const Term* arguments) {
  return send_exit(call, arguments[0], arguments[1], NormalToSelf::kEnds);
}

Term exit_3(Call& call, const Term* arguments) {
  const auto urgency = parse_urgency(arguments[2]);
  if (!urgency) return call.fail(atoms::kBadarg, atoms::kBadopt);
  return send_exit(call, arguments[0], arguments[1], NormalToSelf::kEnds, *urgency);
}

Term exit_signal_3(Call& call, const Term* arguments) {
  const auto urgency = parse_urgency(arguments[2]);
  if (!urgency) return call.fail(atoms::kBadarg, atoms::kBadopt);
  return send_exit(call, arguments[0], arguments[1], NormalToSelf::kIsIgnored, *urgency);
}

Term exit_signal_2(Call& call, const Term* arguments) {
  return send_exit(call, arguments[0], arguments[1], NormalToSelf::kIsIgnored);
}

}  // namespace ravel::erlang
