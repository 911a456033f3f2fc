// What no process owns: registered names, timers, the counter of unique integers.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

bool is_device_name(Term name) { return name == atoms::kUser || name == atoms::kStandardError; }

}  // namespace

std::size_t Machine::place_in_registry(Term name) const {
  const auto is_before = [&](const auto& entry, Term wanted) {
    return names.atoms.compare(entry.first, wanted) < 0;
  };
  return static_cast<std::size_t>(std::lower_bound(registry_.begin(), registry_.end(), name, is_before) -
                                  registry_.begin());
}

Term Machine::whereis(Term name) const {
  const std::size_t place = place_in_registry(name);
  if (place < registry_.size() && registry_[place].first == name) {
    const Term pid = registry_[place].second;
    return pid == atoms::kUndefined ? Term::none() : pid;
  }
  return is_device_name(name) ? names.device_pid() : Term::none();
}

Term Machine::named_process(Term name, bool decides) {
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
  footprint_.push_back({.object = object_id(ObjectClass::kName, static_cast<std::uint64_t>(name.atom_id())),
                        .access = access::kRead,
                        .decides = decides});
  const Term pid = whereis(name);
  const std::string text(names.atoms.text(name));
  if (pid.is_none() && std::ranges::find(kSystemNames, text) != std::end(kSystemNames))
    refuse(
        "the process " + text + " of " + (text.starts_with("Elixir.") ? "Elixir" : "Erlang/OTP") +
        "'s own system does not run here; replace the module that needs it by a stub (--stub MODULE=OTHER)");
  return pid;
}

// What fails notes what it has found, up to the first reason to fail, and changes nothing.
bool Machine::register_name(Term name, Term pid) {
  if (pid == names.device_pid()) return give_back_device_name(name);
  note_access(ObjectClass::kLife, pid.pid_name(), access::kRead);
  Process* process = find_alive(pid);
  if (process == nullptr) return false;
  note_access(ObjectClass::kNameOf, pid.pid_name(), access::kRead);
  if (!process->attributes.registered_name.is_none()) return false;
  note_access(ObjectClass::kName, static_cast<std::uint64_t>(name.atom_id()), access::kRead);
  if (name == atoms::kUndefined || !whereis(name).is_none()) return false;
  note_naming(name, pid);
  const std::size_t place = place_in_registry(name);
  if (place < registry_.size() && registry_[place].first == name) {
    registry_[place].second = pid;
  } else {
    registry_.insert(registry_.begin() + static_cast<std::ptrdiff_t>(place), {name, pid});
  }
  global_image_ = Term::none();
  process->change_attributes().registered_name = name;
  return true;
}

// The device has only the names that it began with.
bool Machine::give_back_device_name(Term name) {
  note_access(ObjectClass::kName, static_cast<std::uint64_t>(name.atom_id()), access::kRead);
  if (!is_device_name(name) || !whereis(name).is_none()) return false;
  note_naming(name, names.device_pid());
  registry_.erase(registry_.begin() + static_cast<std::ptrdiff_t>(place_in_registry(name)));
  global_image_ = Term::none();
  return true;
}

void Machine::note_naming(Term name, Term pid) {
  note_plain_access(ObjectClass::kName, static_cast<std::uint64_t>(name.atom_id()), access::kWrite);
  note_plain_access(ObjectClass::kProcessTable, kAllNames, access::kChange);
  note_plain_access(ObjectClass::kNameOf, pid.pid_name(), access::kWrite);
  if (is_device_name(name)) note_device_change();
}

bool Machine::unregister_name(Term name) {
  note_access(ObjectClass::kName, static_cast<std::uint64_t>(name.atom_id()), access::kRead);
  const Term pid = whereis(name);
  if (pid.is_none()) return false;
  note_naming(name, pid);
  const auto place = registry_.begin() + static_cast<std::ptrdiff_t>(place_in_registry(name));
  if (pid == names.device_pid()) {
    registry_.insert(place, {name, atoms::kUndefined});
  } else {
    Process* const process = find_process(pid);
    CHECK(process != nullptr);
    process->change_attributes().registered_name = Term::none();
    if (is_device_name(name)) {
      place->second = atoms::kUndefined;
    } else {
      registry_.erase(place);
    }
  }
  global_image_ = Term::none();
  return true;
}

void Machine::add_timer(const Timer& timer) {
  timers_.push_back(timer);
  global_image_ = Term::none();
}

const Timer* Machine::find_timer(Term reference) const {
  const auto place = std::ranges::find(timers_, reference, &Timer::reference);
  return place == timers_.end() ? nullptr : &*place;
}

bool Machine::remove_timer(Term reference) {
  note_plain_access(ObjectClass::kTimer, reference.reference_payload(), access::kWrite);
  note_deadline_change();
  const auto place = std::ranges::find(timers_, reference, &Timer::reference);
  if (place == timers_.end()) return false;
  timers_.erase(place);
  global_image_ = Term::none();
  return true;
}

void Machine::expire_timer(std::size_t index) {
  const Timer timer = timers_[index];
  advance_time(timer.due_ms);
  remove_timer(timer.reference);
  Term receiver = timer.target;
  if (receiver.is_atom()) {
    note_access(ObjectClass::kName, static_cast<std::uint64_t>(receiver.atom_id()), access::kRead);
    receiver = whereis(receiver);
  }
  const Term message = timer.form == TimerMessage::kPlain
                           ? timer.content
                           : heap.tuple({atoms::kTimeout, timer.reference, timer.content});
  event_.kind = OperationKind::kTimerFires;
  event_.actor = event_.subject = timer.reference;
  event_.object = receiver;
  event_.value = message;
  if (!receiver.is_none()) deliver(receiver, message, timer.reference);
}

std::uint64_t Machine::next_unique_integer() {
  note_plain_access(ObjectClass::kCounter, 0, access::kWrite);
  global_image_ = Term::none();
  return ++unique_integers_;
}

}  // namespace ravel::erlang
