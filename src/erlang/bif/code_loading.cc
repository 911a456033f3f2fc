// Loading, deleting and purging modules: what ravel_code does in the place of OTP's code server, and the
// emulator's own built-ins.
//
// The emulator's prepared code is a reference to something that is not part of any state; here it is
// {'$prepared_code', Module, File}, with the module's file as a binary. A module is loaded, and if need be
// what it replaces is purged, in one operation: the code server does one thing at a time, too. Purging kills
// who runs old code; whoever asked for it waits for their ends (ravel_code).
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "erlang/beam/beam_container.h"
#include "erlang/beam/beam_file.h"
#include "erlang/bif/builtins.h"
#include "erlang/bif/process_family.h"
#include "erlang/bif/system_family.h"
#include "erlang/machine/machine.h"
#include "erlang/term/bits.h"

namespace ravel::erlang {

namespace {

constexpr std::string_view kPrepared = "$prepared_code";

std::vector<std::uint8_t> octets_of(Term binary) {
  const BitView view = view_bits(binary);
  std::vector<std::uint8_t> bytes(view.length / 8);
  copy_bits(bytes.data(), 0, view.bytes, view.offset, view.length);
  return bytes;
}

// Where a module's file is said to be.
std::string path_text(Call& call, Term file) {
  std::string text;
  if (file.is_atom() && !file.is_nil()) return std::string(call.names.atoms.text(file));
  for (; file.is_cons() && file.head().is_small(); file = file.tail()) {
    const auto character = static_cast<std::uint32_t>(file.head().small_value());
    if (character < 0x80) {
      text += static_cast<char>(character);
    } else if (character < 0x800) {
      text += static_cast<char>(0xC0 | character >> 6);
      text += static_cast<char>(0x80 | (character & 0x3F));
    } else {
      text += static_cast<char>(0xE0 | (character >> 12 & 0xF));
      text += static_cast<char>(0x80 | (character >> 6 & 0x3F));
      text += static_cast<char>(0x80 | (character & 0x3F));
    }
  }
  return text;
}

const Module* prepare(Call& call, Term module, Term binary, Term file) {
  return call.machine.run_time_code.prepare_code(module, octets_of(binary), path_text(call, file));
}

Term error(Call& call, std::string_view what) { return call.heap.tuple({atoms::kError, call.atom(what)}); }

// prepare(Module, Binary, File): ok, {on_load, Function} or {error, badfile}.
Term prepare_3(Call& call, const Term* arguments) {
  const Module* const version = prepare(call, arguments[0], arguments[1], arguments[2]);
  if (version == nullptr) return error(call, "badfile");
  return version->has_on_load ? call.heap.tuple({call.atom("on_load"), version->on_load_entry}) : atoms::kOk;
}

// A process that was killed runs nothing any more.
bool runs_in(Machine& machine, const Process& process, const Module& version) {
  return process.rest != Rest::kEnding && process.rest != Rest::kEnded &&
         machine.run_time_code.runs_in(process, version);
}

// Kills who runs the old code of a module, and forgets that; the list of those. REQUIRES: there is old code.
Term purge(Call& call, Term module, const Module& old) {
  Machine& machine = call.machine;
  machine.run_time_code.note_code(module, access::kWrite);
  machine.run_time_code.note_old_code(module, access::kWrite);
  std::vector<Term> killed;
  for (const Process* process : machine.processes.all())
    if (runs_in(machine, *process, old)) killed.push_back(process->pid);
  machine.run_time_code.forget_old(module);
  for (const Term pid : killed) machine.signals.signal_exit(call.self().pid, pid, atoms::kKill);
  return call.heap.list(killed);
}

// load(Module, Binary, File): purges what is old, unless the module has no current code, and makes the new
// version current. {ok, Killed}.
Term load_3(Call& call, const Term* arguments) {
  Term killed = Term::nil();
  if (const CodeSlots slots = call.machine.run_time_code.code_slots(arguments[0]);
      slots.current != nullptr && slots.old != nullptr)
    killed = purge(call, arguments[0], *slots.old);
  call.machine.run_time_code.note_code(arguments[0], access::kWrite);
  const Module* const version = prepare(call, arguments[0], arguments[1], arguments[2]);
  if (version == nullptr) return error(call, "badfile");
  call.machine.run_time_code.make_current(arguments[0], *version, arguments[2]);
  return call.heap.tuple({atoms::kOk, killed});
}

// install([{Module, Binary, File}]): all or none of them become current. ok, or {not_purged | duplicated,
// Modules}.
Term install_1(Call& call, const Term* arguments) {
  std::vector<Term> modules, unpurged, twice;
  for (Term rest = arguments[0]; rest.is_cons(); rest = rest.tail()) {
    const Term module = element(rest.head(), 1);
    call.machine.run_time_code.note_code(module, access::kWrite);
    if (std::ranges::find(modules, module) != modules.end()) twice.push_back(module);
    modules.push_back(module);
    if (const CodeSlots slots = call.machine.run_time_code.code_slots(module);
        slots.current != nullptr && slots.old != nullptr)
      unpurged.push_back(module);
  }
  if (!twice.empty()) return call.heap.tuple({call.atom("duplicated"), call.heap.list(twice)});
  if (!unpurged.empty()) return call.heap.tuple({call.atom("not_purged"), call.heap.list(unpurged)});
  for (Term rest = arguments[0]; rest.is_cons(); rest = rest.tail()) {
    const Term one = rest.head();
    const Module* const version = prepare(call, element(one, 1), element(one, 2), element(one, 3));
    if (version == nullptr) return error(call, "badfile");
    call.machine.run_time_code.make_current(element(one, 1), *version, element(one, 3));
  }
  return atoms::kOk;
}

// delete(Module): true, also if it was deleted before; false if it never had code, old_code if there is old
// code.
Term delete_1(Call& call, const Term* arguments) {
  call.machine.run_time_code.note_code(arguments[0], access::kWrite);
  const CodeSlots slots = call.machine.run_time_code.code_slots(arguments[0]);
  if (slots.old != nullptr) return call.atom("old_code");
  if (slots.current == nullptr) return atoms::boolean(slots.is_changed);
  call.machine.run_time_code.delete_current(arguments[0]);
  return atoms::kTrue;
}

// purge_old(Module): {WasOld, Killed}.
Term purge_1(Call& call, const Term* arguments) {
  const Module* const old = call.machine.run_time_code.code_slots(arguments[0]).old;
  call.machine.run_time_code.note_code(arguments[0], access::kRead);
  if (old == nullptr) return call.heap.tuple({atoms::kFalse, Term::nil()});
  return call.heap.tuple({atoms::kTrue, purge(call, arguments[0], *old)});
}

// soft_purge_old(Module): whether nobody runs the old code, which is gone then.
Term soft_purge_1(Call& call, const Term* arguments) {
  const Module* const old = call.machine.run_time_code.code_slots(arguments[0]).old;
  call.machine.run_time_code.note_code(arguments[0], access::kRead);
  if (old == nullptr) return atoms::kTrue;
  call.machine.run_time_code.note_old_code(arguments[0], access::kWrite);
  const auto runs_in_it = [&](const Process* process) { return runs_in(call.machine, *process, *old); };
  if (std::ranges::any_of(call.machine.processes.all(), runs_in_it)) return atoms::kFalse;
  static_cast<void>(purge(call, arguments[0], *old));
  return atoms::kTrue;
}

// delete_module(Module), of the emulator.
Term delete_module_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  const Term deleted = delete_1(call, arguments);
  if (deleted == atoms::kTrue) return deleted;
  return deleted == atoms::kFalse ? atoms::kUndefined : call.badarg();
}

// What a question about a module is, if more than one process has to do with it.
Term ask(Call& call, std::string_view name, std::initializer_list<Term> arguments) {
  return call.call_instead(call.atom("ravel_code"), call.atom(name), arguments);
}

// loaded_file(Module): undefined if nothing was loaded or deleted at run time, false if it has no code, else
// {file, File}.
Term loaded_file(Call& call, Term module) {
  if (!call.machine.run_time_code.has_changed_code(module)) return atoms::kUndefined;
  const CodeSlots slots = call.machine.run_time_code.code_slots(module);
  if (slots.current == nullptr) return atoms::kFalse;
  return call.heap.tuple({atoms::kFile, slots.file});
}

Term loaded_file_1(Call& call, const Term* arguments) {
  call.machine.run_time_code.note_user(arguments[0], call.self().pid);
  if (call.machine.run_time_code.is_shared_code(arguments[0]))
    return ask(call, "watched_loaded_file", {arguments[0]});
  return loaded_file(call, arguments[0]);
}

Term watched_loaded_file_1(Call& call, const Term* arguments) {
  call.machine.run_time_code.note_code(arguments[0], access::kRead);
  return loaded_file(call, arguments[0]);
}

// changed(): the modules of which code was loaded or deleted and that have some.
Term changed_0(Call& call, const Term*) {
  call.machine.record.note_plain_access(ObjectClass::kCode, kAllCode, access::kRead);
  std::vector<Term> modules;
  for (const Term module : call.machine.run_time_code.changed_modules())
    modules.push_back(call.heap.tuple(
        {module, atoms::boolean(call.machine.run_time_code.code_slots(module).current != nullptr)}));
  return call.heap.list(modules);
}

// Modules that the emulator starts with, and modules with code that was loaded at run time, be it old. Other
// modules count as loaded if they can be found.
Term loaded_0(Call& call, const Term*) {
  call.machine.record.note_plain_access(ObjectClass::kCode, kAllCode, access::kRead);
  std::vector<Term> modules;
  for (Term rest = pre_loaded_0(call, nullptr); rest.is_cons(); rest = rest.tail())
    modules.push_back(rest.head());
  for (const Term module : call.machine.run_time_code.changed_modules())
    if (const CodeSlots slots = call.machine.run_time_code.code_slots(module);
        slots.current != nullptr || slots.old != nullptr)
      modules.push_back(module);
  return call.heap.list(modules);
}

// code_path(): as it was changed, or undefined.
Term code_path(Call& call) {
  const Term path = call.machine.run_time_code.code_path();
  return path.is_none() ? atoms::kUndefined : path;
}

Term code_path_0(Call& call, const Term*) {
  if (!call.machine.run_time_code.is_path_watched()) return code_path(call);
  return ask(call, "watched_code_path", {atoms::kTrue});
}

Term watched_code_path_1(Call& call, const Term*) {
  call.machine.run_time_code.note_code_path(access::kRead);
  return code_path(call);
}

Term set_code_path_1(Call& call, const Term* arguments) {
  call.machine.run_time_code.note_code_path(access::kWrite);
  call.machine.run_time_code.set_code_path(arguments[0]);
  return atoms::kOk;
}

// stickiness(Module): as it was changed, or undefined.
Term stickiness_1(Call& call, const Term* arguments) {
  const Term said = call.machine.run_time_code.stickiness(arguments[0]);
  return said.is_none() ? atoms::kUndefined : said;
}

Term set_stickiness_2(Call& call, const Term* arguments) {
  call.machine.run_time_code.note_code(arguments[0], access::kWrite);
  call.machine.run_time_code.set_stickiness(arguments[0], arguments[1]);
  return atoms::kOk;
}

// ---- The emulator's own

Term prepare_loading_2(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom() || !is_binary(arguments[1])) return call.badarg();
  if (prepare(call, arguments[0], arguments[1], Term::nil()) == nullptr) return error(call, "badfile");
  return call.heap.tuple({call.atom(kPrepared), arguments[0], arguments[1]});
}

bool is_prepared(Call& call, Term term) {
  return is_tuple_of(term, 3) && element(term, 1) == call.atom(kPrepared) && element(term, 2).is_atom() &&
         is_binary(element(term, 3));
}

Term has_prepared_code_on_load_1(Call& call, const Term* arguments) {
  if (!is_prepared(call, arguments[0])) return call.badarg();
  const Module* const version =
      prepare(call, element(arguments[0], 2), element(arguments[0], 3), Term::nil());
  return version == nullptr ? call.badarg() : atoms::boolean(version->has_on_load);
}

Term finish_loading_1(Call& call, const Term* arguments) {
  std::vector<Term> all, with_on_load;
  Term rest = arguments[0];
  for (; rest.is_cons(); rest = rest.tail()) {
    if (!is_prepared(call, rest.head())) return call.badarg();
    const Term module = element(rest.head(), 2);
    const Module* const version = prepare(call, module, element(rest.head(), 3), Term::nil());
    if (version != nullptr && version->has_on_load) with_on_load.push_back(module);
    all.push_back(call.heap.tuple({module, element(rest.head(), 3), Term::nil()}));
  }
  if (!rest.is_nil()) return call.badarg();
  if (!with_on_load.empty()) {
    call.machine.faults.refuse(
        "erlang:finish_loading/1 of a module with an on_load function leaves it to the caller to run that: "
        "load it by code:load_binary/3");
    return Term::none();
  }
  const Term list = call.heap.list(all);
  return install_1(call, &list);
}

Term beamfile_module_md5_1(Call& call, const Term* arguments) {
  if (!is_binary(arguments[0])) return call.badarg();
  const auto beam = read_beam(octets_of(arguments[0]), "");
  return beam ? make_binary(call.heap, beam->md5.data(), beam->md5.size()) : atoms::kUndefined;
}

Term beamfile_chunk_2(Call& call, const Term* arguments) {
  std::string name;
  Term rest = arguments[1];
  for (; rest.is_cons() && rest.head().is_small() && name.size() < 5; rest = rest.tail())
    name += static_cast<char>(rest.head().small_value());
  if (!is_binary(arguments[0]) || !rest.is_nil() || name.size() != 4) return call.badarg();
  const std::vector<std::uint8_t> bytes = octets_of(arguments[0]);
  Fault fault;
  const BeamContainer container(bytes, fault);
  const auto chunk = fault.found() ? std::span<const std::uint8_t>() : container.chunk(name);
  return chunk.data() == nullptr ? atoms::kUndefined : make_binary(call.heap, chunk.data(), chunk.size());
}

constexpr auto kCodeLoadingBuiltins = std::to_array<Builtin>({
    {"erlang", "delete_module", 1, Effect::kOperation, delete_module_1},
    {"erlang", "finish_loading", 1, Effect::kOperation, finish_loading_1},
    {"erlang", "has_prepared_code_on_load", 1, Effect::kPure, has_prepared_code_on_load_1},
    {"erlang", "loaded", 0, Effect::kOperation, loaded_0},
    {"erlang", "prepare_loading", 2, Effect::kPure, prepare_loading_2},
    {"erts_internal", "beamfile_chunk", 2, Effect::kPure, beamfile_chunk_2},
    {"erts_internal", "beamfile_module_md5", 1, Effect::kPure, beamfile_module_md5_1},
    {"erts_internal", "prepare_loading", 2, Effect::kPure, prepare_loading_2},
    {"ravel_code", "changed", 0, Effect::kOperation, changed_0},
    {"ravel_code", "check_old_code", 1, Effect::kOperation, watched_check_old_code_1},
    {"ravel_code", "code_path", 0, Effect::kLocal, code_path_0},
    {"ravel_code", "delete", 1, Effect::kOperation, delete_1},
    {"ravel_code", "function_exported", 3, Effect::kOperation, watched_function_exported_3},
    {"ravel_code", "get_module_info", 1, Effect::kOperation, watched_get_module_info_1},
    {"ravel_code", "get_module_info", 2, Effect::kOperation, watched_get_module_info_2},
    {"ravel_code", "install", 1, Effect::kOperation, install_1},
    {"ravel_code", "load", 3, Effect::kOperation, load_3},
    {"ravel_code", "loaded_file", 1, Effect::kLocal, loaded_file_1},
    {"ravel_code", "module_loaded", 1, Effect::kOperation, watched_module_loaded_1},
    {"ravel_code", "prepare", 3, Effect::kPure, prepare_3},
    {"ravel_code", "purge_old", 1, Effect::kOperation, purge_1},
    {"ravel_code", "set_code_path", 1, Effect::kOperation, set_code_path_1},
    {"ravel_code", "set_stickiness", 2, Effect::kOperation, set_stickiness_2},
    {"ravel_code", "soft_purge_old", 1, Effect::kOperation, soft_purge_1},
    {"ravel_code", "stickiness", 1, Effect::kLocal, stickiness_1},
    {"ravel_code", "watched_code_path", 1, Effect::kOperation, watched_code_path_1},
    {"ravel_code", "watched_loaded_file", 1, Effect::kOperation, watched_loaded_file_1},
});
static_assert(std::ranges::is_sorted(kCodeLoadingBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> code_loading_builtins() { return kCodeLoadingBuiltins; }

}  // namespace ravel::erlang
