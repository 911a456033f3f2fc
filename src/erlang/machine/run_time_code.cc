// Which code a module has is part of the state: SharedTerms::code maps its name to {Current, Old, File}, the
// first two being places in the list of all modules that were ever loaded (0: none). A module that is not in
// there has the code that was found when it was first called, which is the same in every execution. Exports
// and funs follow the map: whatever changes it, a restored state included, calls apply(), which costs
// something only where it differs from what they follow already.
//
// A module file is read and translated once, however often it is loaded: versions_ knows it by its contents.
// Two versions that are loaded at once are different ones even if their contents agree, since purging asks
// who runs the old one; so there are up to three copies. Funs are known by module, digest and number, as in
// the emulator, so equal versions share them.
//
// Searches. A call by name depends on whoever loads the module, so it would have to be an operation; but next
// to no module is loaded while a test runs, and calls are everywhere. So the machine notes for which modules
// an execution has changed code (discovered_code), and a search in which there is a new one begins again with
// these modules watched: their exports and funs lead to an instruction that notices the call. While one
// process alone has to do with a watched module, that is all; if there are two (WatchedCode::is_shared, again
// something that a search finds out), the call is an operation which reads what loading writes. A process
// that runs watched code, or will return to it, may be killed by purging it: its steps read what purging
// writes (ObjectClass::kOldCode).
#include "erlang/machine/run_time_code.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/hash.h"
#include "erlang/beam/beam_file.h"
#include "erlang/beam/md5.h"
#include "erlang/machine/frame_check.h"
#include "erlang/machine/loader.h"
#include "erlang/machine/loop_check.h"
#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

constexpr std::uint64_t kSeed = 1;

std::uint64_t code_payload(const Names& names, Term module) {
  return hash_string(names.atoms.text(module), kSeed) | 1;  // kCodePath and kAllCode are even
}

Term path_key() { return Term::nil(); }

void add_once(std::vector<WatchedCode>& discovered, const WatchedCode& found) {
  if (std::ranges::find(discovered, found) == discovered.end()) discovered.push_back(found);
}

}  // namespace

// ---- What exports and funs lead to

void RunTimeCode::define_export(std::uint32_t index, const CodeWord* address) {
  Export& one = machine.code.export_at(index);
  one.is_defined = true;
  one.target = address;
  if (!one.is_watched) one.address = address;
}

void RunTimeCode::undefine_export(std::uint32_t index) {
  Export& one = machine.code.export_at(index);
  one.is_defined = one.builtin != nullptr;
  one.target = one.own_body;
  if (!one.is_watched) one.address = one.own_body != nullptr ? one.own_body : one.stub;
}

void RunTimeCode::define(const Module& module) {
  for (const auto& [index, place] : module.entries) define_export(index, machine.code.area().at(place));
  const Watch* const watch = watch_of(module.name);
  for (const auto& [entry, place] : module.funs) {
    FunEntry& fun = names.fun(entry);
    fun.target = place;
    fun.code = watch == nullptr ? place : fun_trampoline(entry, *watch);
  }
}

std::uint32_t RunTimeCode::fun_trampoline(std::uint32_t entry, const Watch& watch) {
  const std::uint32_t there = names.fun(entry).code;
  if (there != 0 && machine.code.area().at(there)->op.handler == machine.code.handler(Op::enter_fun))
    return there;
  CodeWord* const place = machine.code.area().append(2);
  place[0].bits = 0;
  place[0].op.handler = machine.code.handler(Op::enter_fun);
  place[0].op.a = watch.is_shared ? 1 : 0;
  place[1].bits = entry;
  return machine.code.area().index_of(place);
}

void RunTimeCode::add_trampoline(Export& one) {
  CodeWord* const place = machine.code.area().append(2);
  place[0].bits = 0;
  place[0].op.handler = machine.code.handler(Op::enter_code);
  place[0].op.a = is_shared_code(one.module) ? 1 : 0;
  place[1].pointer = &one;
  one.target = one.is_defined ? one.address : nullptr;
  one.is_watched = true;
  one.address = place;
}

void RunTimeCode::switch_module(Term module, const Module* current_before, const Module* old_before,
                                const Module* current, const Module* old) {
  if (current_before != current && current_before != nullptr)
    for (const auto& [index, place] : current_before->entries) undefine_export(index);
  const bool is_watched_module = is_watched(module);
  for (const Module* before : {old_before, current_before}) {
    if (before == nullptr) continue;
    for (const auto& [entry, place] : before->funs) {
      names.fun(entry).target = 0;
      if (!is_watched_module) names.fun(entry).code = 0;
    }
  }
  // Of two equal versions the current one has the funs.
  if (old != nullptr)
    for (const auto& [entry, place] : old->funs) {
      names.fun(entry).target = place;
      names.fun(entry).code = is_watched_module ? fun_trampoline(entry, *watch_of(module)) : place;
    }
  if (current != nullptr) define(*current);
  machine.code.set_current(module, current);
}

const Module* RunTimeCode::version_at(Term place) const {
  return place == Term::small(0)
             ? nullptr
             : machine.code.all_modules()[static_cast<std::size_t>(place.small_value() - 1)].get();
}

void RunTimeCode::apply() {
  const Term table = machine.shared_terms().code;
  if (applied_.empty() && map_size(table) == 0) return;
  const auto version = [&](std::uint32_t place) { return version_at(Term::small(place)); };
  std::vector<AppliedCode> wanted;
  for (MapIterator pairs(table); pairs.next();)
    if (pairs.key().is_atom())
      wanted.push_back({.module = pairs.key(),
                        .current = static_cast<std::uint32_t>(element(pairs.value(), 1).small_value()),
                        .old = static_cast<std::uint32_t>(element(pairs.value(), 2).small_value())});
  const auto first_of = [&](Term module) {
    return machine.code.is_missing(module) ? nullptr : machine.code.first_module(module);
  };
  for (const AppliedCode& before : applied_)
    if (std::ranges::find(wanted, before.module, &AppliedCode::module) == wanted.end())
      switch_module(before.module, version(before.current), version(before.old), first_of(before.module),
                    nullptr);
  for (const AppliedCode& one : wanted) {
    const auto before = std::ranges::find(applied_, one.module, &AppliedCode::module);
    if (before == applied_.end()) {
      switch_module(one.module, first_of(one.module), nullptr, version(one.current), version(one.old));
    } else if (before->current != one.current || before->old != one.old) {
      switch_module(one.module, version(before->current), version(before->old), version(one.current),
                    version(one.old));
    }
  }
  applied_ = std::move(wanted);
}

void RunTimeCode::change(Term key, Term value) {
  const Term changed = map_put(heap, names, machine.shared_terms().code, key, value);
  machine.change_shared_terms().code = changed;
  apply();
}

// ---- The state

bool RunTimeCode::has_changed_code(Term module) const {
  return map_size(machine.shared_terms().code) != 0 &&
         !map_get(names, machine.shared_terms().code, module).is_none();
}

CodeSlots RunTimeCode::code_slots(Term module) {
  const Term entry = map_size(machine.shared_terms().code) == 0
                         ? Term::none()
                         : map_get(names, machine.shared_terms().code, module);
  if (entry.is_none()) return {.current = machine.code.find_module(module)};
  return {.current = version_at(element(entry, 1)),
          .old = version_at(element(entry, 2)),
          .file = element(entry, 3),
          .is_changed = true};
}

std::vector<Term> RunTimeCode::changed_modules() const {
  std::vector<Term> modules;
  for (MapIterator pairs(machine.shared_terms().code); pairs.next();)
    if (pairs.key().is_atom()) modules.push_back(pairs.key());
  return modules;
}

const Module* RunTimeCode::prepare_code(Term module, std::span<const std::uint8_t> file, std::string path) {
  const std::string_view name = names.atoms.text(module);
  const auto digest = md5(file);
  std::string key(name);
  key.append(1, '\0').append(reinterpret_cast<const char*>(digest.data()), digest.size());
  const CodeSlots slots = code_slots(module);
  for (int copy = 0;; ++copy) {
    const std::string copy_key = key + static_cast<char>('0' + copy);
    if (const auto known = versions_.find(copy_key); known != versions_.end()) {
      const Module* const version = machine.code.all_modules()[known->second].get();
      if (version != slots.current && version != slots.old) return version;
      continue;
    }
    std::string where;
    const auto installed = machine.code.source().find_module(name, where);
    const bool is_installed = installed && std::ranges::equal(*installed, file);
    const Module* const first = machine.code.first_module(module);
    if (copy == 0 && is_installed && first != nullptr) {
      versions_[copy_key] = first->version - 1;
      --copy;
      continue;
    }
    auto beam = read_beam(file, path);
    if (!beam) {
      machine.code.set_load_error(beam.error().message);
      return nullptr;
    }
    if (beam->module_name() != name) {
      machine.code.set_load_error(path + ": the module in it is " + beam->module_name());
      return nullptr;
    }
    if (!is_as_compiled(*beam)) {
      for (const Status& status : {check_frames(*beam, path), check_loops(*beam, path)}) {
        if (status) continue;
        machine.code.set_load_error(status.error().message);
        return nullptr;
      }
    }
    Loader loader(machine, *beam, is_installed ? Loader::Origin::kInstalled : Loader::Origin::kGiven);
    const auto version = loader.load(is_installed ? where : path);
    if (!version) {
      machine.code.set_load_error(version.error().message);
      return nullptr;
    }
    versions_[copy_key] = (*version)->version - 1;
    return *version;
  }
}

void RunTimeCode::note_new_code(Term module) {
  if (machine.is_starting_system()) return;
  if (machine.interpreter.running() != nullptr) note_user(module, machine.interpreter.running()->pid);
  if (is_watched(module)) return;
  const WatchedCode found{.module = std::string(names.atoms.text(module))};
  add_once(discovered_, found);
}

void RunTimeCode::make_current(Term module, const Module& version, Term file) {
  note_new_code(module);
  const CodeSlots slots = code_slots(module);
  CHECK(slots.old == nullptr || slots.current == nullptr);
  const Module* const is_old = slots.current == nullptr ? slots.old : slots.current;
  const Term old = Term::small(is_old == nullptr ? 0 : is_old->version);
  change(module, heap.tuple({Term::small(version.version), old, file}));
}

void RunTimeCode::delete_current(Term module) {
  note_new_code(module);
  const CodeSlots slots = code_slots(module);
  CHECK(slots.old == nullptr);
  const Term old = Term::small(slots.current == nullptr ? 0 : slots.current->version);
  change(module, heap.tuple({Term::small(0), old, Term::nil()}));
}

void RunTimeCode::forget_old(Term module) {
  note_new_code(module);
  const CodeSlots slots = code_slots(module);
  const Term current = Term::small(slots.current == nullptr ? 0 : slots.current->version);
  change(module, heap.tuple({current, Term::small(0), slots.file}));
}

Term RunTimeCode::code_path() const { return map_get(names, machine.shared_terms().code, path_key()); }

void RunTimeCode::set_code_path(Term path) {
  if (!machine.is_starting_system() && !is_path_watched_) {
    const WatchedCode found{.kind = WatchedCode::Kind::kPath};
    add_once(discovered_, found);
  }
  change(path_key(), path);
}

void RunTimeCode::note_device_change() {
  if (machine.is_starting_system() || are_devices_watched_) return;
  const WatchedCode found{.kind = WatchedCode::Kind::kDevices};
  add_once(discovered_, found);
}

Term RunTimeCode::stickiness(Term module) const {
  for (MapIterator pairs(machine.shared_terms().code); pairs.next();)
    if (is_tuple(pairs.key()) && element(pairs.key(), 1) == module) return pairs.value();
  return Term::none();
}

void RunTimeCode::set_stickiness(Term module, Term value) {
  note_new_code(module);
  change(heap.tuple({module}), value);
}

bool RunTimeCode::runs_in(const Process& process, const Module& version) const {
  return std::ranges::any_of(machine.traces.places_of(process), [&](const CodeWord* place) {
    const std::uint32_t index = machine.code.area().index_of(place);
    return index >= version.begin && index < version.end;
  });
}

// ---- Watched modules

void RunTimeCode::watch_code() {
  for (const WatchedCode& one : options.watched_code) {
    is_path_watched_ |= one.kind == WatchedCode::Kind::kPath;
    are_devices_watched_ |= one.kind == WatchedCode::Kind::kDevices;
    if (one.kind != WatchedCode::Kind::kModule) continue;
    const Term module = names.atoms.intern(one.module);
    machine.code.find_module(module);
    watched_.push_back({.module = module, .is_shared = one.is_shared, .only_user = Term::none()});
  }
  if (watched_.empty()) return;
  for (const auto& one : machine.code.exports())
    if (is_watched(one->module) && !one->is_watched) add_trampoline(*one);
  for (const auto& module : machine.code.all_modules()) {
    const Watch* const watch = watch_of(module->name);
    if (watch == nullptr) continue;
    for (const auto& [entry, place] : module->funs) names.fun(entry).code = fun_trampoline(entry, *watch);
  }
}

const RunTimeCode::Watch* RunTimeCode::watch_of(Term module) const {
  const auto found = std::ranges::find(watched_, module, &Watch::module);
  return found == watched_.end() ? nullptr : &*found;
}

bool RunTimeCode::is_shared_code(Term module) const {
  const Watch* const watch = watch_of(module);
  return watch != nullptr && watch->is_shared;
}

// A process loads, calls or asks about a module. The process stays known when the state is rewound.
void RunTimeCode::note_user(Term module, Term pid) {
  const auto watch = std::ranges::find(watched_, module, &Watch::module);
  if (watch == watched_.end() || watch->is_shared || watch->only_user == pid) return;
  if (watch->only_user.is_none()) {
    watch->only_user = pid;
    return;
  }
  const WatchedCode found{.module = std::string(names.atoms.text(module)), .is_shared = true};
  add_once(discovered_, found);
}

void RunTimeCode::note_code(Term module, std::uint8_t how) {
  record.note_access(ObjectClass::kCode, code_payload(names, module), how);
  if (how != access::kRead) record.note_plain_access(ObjectClass::kCode, kAllCode, access::kChange);
}

void RunTimeCode::note_old_code(Term module, std::uint8_t how) {
  record.note_access(ObjectClass::kOldCode, code_payload(names, module), how);
}

void RunTimeCode::note_code_path(std::uint8_t how) { record.note_access(ObjectClass::kCode, kCodePath, how); }

void RunTimeCode::note_running_code(const Process& process) {
  std::array<Term, 4> noted;
  std::size_t count = 0;
  for (const CodeWord* place : machine.traces.places_of(process)) {
    const Module* const module = machine.code.describe_place(place).module;
    if (module == nullptr || !is_shared_code(module->name)) continue;
    if (std::find(noted.begin(), noted.begin() + static_cast<std::ptrdiff_t>(count), module->name) !=
        noted.begin() + static_cast<std::ptrdiff_t>(count))
      continue;
    record.note_plain_access(ObjectClass::kOldCode, code_payload(names, module->name), access::kRead);
    if (count < noted.size()) noted[count++] = module->name;
  }
}

void RunTimeCode::enter_code(Process& process, const Export& called, const Term* x) {
  record.event.kind = OperationKind::kCall;
  record.event.subject = called.module;
  record.event.object = called.function;
  record.event.value = Term::small(called.arity);
  std::copy_n(x, std::min<std::size_t>(called.arity, kRecordedArguments), record.event.arguments);
  record.note_run(process);
  if (is_watched(called.module)) {
    note_code(called.module, access::kRead);
  } else {
    note_code_path(access::kRead);
  }
}

void RunTimeCode::enter_fun(Process& process, const FunEntry& called, const Term* x) {
  record.event.kind = OperationKind::kCall;
  record.event.subject = called.module;
  record.event.object = Term::none();
  record.event.value = Term::small(called.arity);
  std::copy_n(x, std::min<std::size_t>(called.arity, kRecordedArguments), record.event.arguments);
  record.note_run(process);
  note_code(called.module, access::kRead);
  note_old_code(called.module, access::kRead);
}

// Whether a function that is not there is looked for once more, as error_handler does it: if its module was
// deleted, may be in a folder that was added to the path, or has an on_load function to be run first.
bool RunTimeCode::calls_undefined_function(const Export& called) {
  if (machine.is_starting_otp() || machine.code.loaded_module(called.module) != nullptr) return false;
  if (has_changed_code(called.module)) return true;
  if (machine.code.waits_for_on_load(called.module)) return true;
  return map_size(machine.shared_terms().code) != 0 && !code_path().is_none();
}

Export& RunTimeCode::undefined_function() {
  return machine.code.export_named(names.atoms.intern("ravel_code"), atoms::kUndefinedFunction, 3);
}

Export& RunTimeCode::undefined_lambda() {
  return machine.code.export_named(names.atoms.intern("ravel_code"), names.atoms.intern("undefined_lambda"),
                                   3);
}

// The fun whose call has spread it over the registers: arguments, then what it has bound.
Term RunTimeCode::remake_fun(std::uint32_t entry, const Term* x) {
  const FunEntry& fun = names.fun(entry);
  Term* const object = heap.allocate(fun.free_count + 3);
  object[0] = make_header(Kind::kFun, fun.free_count + 2);
  object[1] = Term::small(entry);
  object[2] = Term::small(fun.arity);
  std::copy_n(x + fun.arity, fun.free_count, object + 3);
  return Term::boxed(object);
}

void RunTimeCode::return_to_start(std::size_t modules) {
  watched_.clear();
  discovered_.clear();
  is_path_watched_ = are_devices_watched_ = false;
  std::erase_if(versions_, [&](const auto& entry) { return entry.second >= modules; });
}

}  // namespace ravel::erlang
