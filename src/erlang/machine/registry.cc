#include "erlang/machine/registry.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

bool is_device_name(Term name) { return name == atoms::kUser || name == atoms::kStandardError; }

}  // namespace

std::size_t Registry::place_of(Term name) const {
  const auto is_before = [&](const auto& entry, Term wanted) {
    return names.atoms.compare(entry.first, wanted) < 0;
  };
  return static_cast<std::size_t>(std::lower_bound(entries_.begin(), entries_.end(), name, is_before) -
                                  entries_.begin());
}

Term Registry::whereis(Term name) const {
  const std::size_t place = place_of(name);
  if (place < entries_.size() && entries_[place].first == name) {
    const Term pid = entries_[place].second;
    return pid == atoms::kUndefined ? Term::none() : pid;
  }
  return is_device_name(name) ? names.device_pid() : Term::none();
}

Term Registry::named_process(Term name, bool decides) {
  // Registered by Erlang/OTP in kernel and stdlib, and by Elixir, and not started here
  // (src/erlang/lib/ravel_kernel.erl, ravel_elixir_logger.erl).
  static constexpr std::string_view kSystemNames[] = {
      "Elixir.Logger",
      "Elixir.Logger.BackendSupervisor",
      "code_server",
      "erl_epmd",
      "erl_prim_loader",
      "erl_signal_server",
      "erts_code_purger",
      "file_server_2",
      "global_group",
      "inet_db",
      "inet_gethost_native",
      "kernel_refc",
      "logger_std_h_default",
      "net_kernel",
      "net_sup",
      "socket_registry",
      "user_drv",
  };
  record.footprint.push_back(
      {.object = object_id(ObjectClass::kName, static_cast<std::uint64_t>(name.atom_id())),
       .access = access::kRead,
       .decides = decides});
  const Term pid = whereis(name);
  const std::string text(names.atoms.text(name));
  if (pid.is_none() && std::ranges::find(kSystemNames, text) != std::end(kSystemNames))
    machine.faults.refuse(
        "the process " + text + " of " + (text.starts_with("Elixir.") ? "Elixir" : "Erlang/OTP") +
        "'s own system does not run here; replace the module that needs it by a stub (--stub MODULE=OTHER)");
  return pid;
}

// What fails notes what it has found, up to the first reason to fail, and changes nothing.
bool Registry::register_name(Term name, Term pid) {
  if (pid == names.device_pid()) return give_back_device_name(name);
  record.note_access(ObjectClass::kLife, pid.pid_name(), access::kRead);
  Process* process = machine.processes.find_alive(pid);
  if (process == nullptr) return false;
  record.note_access(ObjectClass::kNameOf, pid.pid_name(), access::kRead);
  if (!process->attributes.registered_name.is_none()) return false;
  record.note_access(ObjectClass::kName, static_cast<std::uint64_t>(name.atom_id()), access::kRead);
  if (name == atoms::kUndefined || !whereis(name).is_none()) return false;
  note_naming(name, pid);
  const std::size_t place = place_of(name);
  if (place < entries_.size() && entries_[place].first == name) {
    entries_[place].second = pid;
  } else {
    entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(place), {name, pid});
  }
  note_shared_change();
  process->change_attributes().registered_name = name;
  return true;
}

// The device has only the names that it began with.
bool Registry::give_back_device_name(Term name) {
  record.note_access(ObjectClass::kName, static_cast<std::uint64_t>(name.atom_id()), access::kRead);
  if (!is_device_name(name) || !whereis(name).is_none()) return false;
  note_naming(name, names.device_pid());
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place_of(name)));
  note_shared_change();
  return true;
}

void Registry::note_naming(Term name, Term pid) {
  refuse_to_name_victim(name, pid);
  record.note_plain_access(ObjectClass::kName, static_cast<std::uint64_t>(name.atom_id()), access::kWrite);
  record.note_plain_access(ObjectClass::kProcessTable, kAllNames, access::kChange);
  record.note_plain_access(ObjectClass::kNameOf, pid.pid_name(), access::kWrite);
  record.names = true;
  if (machine.property_monitors.observed() >= Observed::kNames) record.note_observed();
  if (is_device_name(name)) machine.run_time_code.note_device_change();
}

// A step of another process would decide whether this one may be killed.
void Registry::refuse_to_name_victim(Term name, Term pid) {
  if (!options.mishaps.names_are_own || machine.is_starting_system() || record.event.actor == pid) return;
  for (const ProcessPattern& victim : options.mishaps.victims)
    if (victim.is_registered_name(names, name))
      machine.faults.refuse(
          "--kill names " + victim.text +
          ", but another process gives or takes that name, and "
          "--strategy dpor wants a process to register itself; name it by MODULE:FUNCTION or "
          "its logical name, or add --strategy preemption or states");
}

bool Registry::unregister_name(Term name) {
  record.note_access(ObjectClass::kName, static_cast<std::uint64_t>(name.atom_id()), access::kRead);
  const Term pid = whereis(name);
  if (pid.is_none()) return false;
  note_naming(name, pid);
  const auto place = entries_.begin() + static_cast<std::ptrdiff_t>(place_of(name));
  if (pid == names.device_pid()) {
    entries_.insert(place, {name, atoms::kUndefined});
  } else {
    Process* const process = machine.processes.find(pid);
    CHECK(process != nullptr);
    process->change_attributes().registered_name = Term::none();
    if (is_device_name(name)) {
      place->second = atoms::kUndefined;
    } else {
      entries_.erase(place);
    }
  }
  note_shared_change();
  return true;
}

Term Registry::freeze(std::vector<Term>& scratch) {
  scratch.clear();
  for (const auto& [name, pid] : entries_) scratch.insert(scratch.end(), {name, pid});
  return store.intern_object(Kind::kTuple, scratch);
}

void Registry::thaw(Term image) {
  entries_.clear();
  for (Word i = 1; i <= tuple_size(image); i += 2)
    entries_.emplace_back(element(image, i), element(image, i + 1));
}

}  // namespace ravel::erlang
