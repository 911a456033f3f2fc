// Built-ins that print, and what io asks about its device. Printing is local: the output belongs to the
// state, but nothing in the program can see it, so two processes that print are independent.
#include <limits>
#include "erlang/bif/process_family.h"
#include "erlang/bif/shown_names.h"
#include "erlang/bif/system_family.h"

#include "erlang/machine/io_device.h"
#include "erlang/term/byte_text.h"
#include "erlang/term/map.h"
#include "erlang/term/print.h"
#include "erlang/term/release.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

Term make_string(Heap& heap, std::string_view text) {
  Term list = Term::nil();
  for (auto c = text.rbegin(); c != text.rend(); ++c)
    list = heap.cons(Term::small(static_cast<unsigned char>(*c)), list);
  return list;
}

Term display_1(Call& call, const Term* arguments) {
  call.machine.device.print(print_term(call.names, arguments[0], {.style = PrintStyle::kDisplay}) + "\n");
  return atoms::kTrue;
}

// erts_internal:term_to_string(Term, Limit): what display/1 prints, `undefined` for no limit.
Term term_to_string_2(Call& call, const Term* arguments) {
  const Term limit = arguments[1];
  const bool is_limit =
      limit.is_small() && limit.small_value() > 1 && limit.small_value() < std::numeric_limits<int>::max();
  if (!is_limit && limit != atoms::kUndefined) return call.badarg();
  if (!may_show(call, arguments[0], NameUse::kText)) return Term::none();
  std::string text = print_term(call.names, arguments[0], {.style = PrintStyle::kDisplay});
  if (is_limit && text.size() > static_cast<std::size_t>(limit.small_value())) {
    text.resize(static_cast<std::size_t>(limit.small_value()));
    text += "...";
  }
  return make_string(call.heap, text);
}

// erts_debug:display/1 answers what it prints.
Term debug_display_1(Call& call, const Term* arguments) {
  if (!may_show(call, arguments[0], NameUse::kText)) return Term::none();
  const std::string text = print_term(call.names, arguments[0], {.style = PrintStyle::kDisplay}) + "\n";
  call.machine.device.print(text);
  return make_string(call.heap, text);
}

Term display_nl_0(Call& call, const Term*) {
  call.machine.device.print("\n");
  return atoms::kTrue;
}

namespace {

Term display_characters(Call& call, Term characters) {
  std::string text;
  for (; characters.is_cons(); characters = characters.tail()) {
    const Term character = characters.head();
    if (!character.is_small() || !is_unicode_scalar(static_cast<std::uint64_t>(character.small_value())))
      return call.badarg();
    append_utf8(text, static_cast<std::uint32_t>(character.small_value()));
  }
  if (!characters.is_nil()) return call.badarg();
  call.machine.device.print(text);
  return atoms::kTrue;
}

}  // namespace

Term display_string_1(Call& call, const Term* arguments) { return display_characters(call, arguments[0]); }

// display_string(Stream, Characters or bytes). There is one stream, and nobody types at it.
Term display_string_2(Call& call, const Term* arguments) {
  if (arguments[0] == atoms::kStdin)
    return refuse(call, "erlang:display_string(stdin, _)",
                  " types at the host's terminal: leave it out of the test");
  if (arguments[0] != atoms::kStdout && arguments[0] != atoms::kStderr) return call.badarg();
  if (!is_binary(arguments[1])) return display_characters(call, arguments[1]);
  call.machine.device.print(ByteText(arguments[1]).text());
  return atoms::kTrue;
}

// ravel_io:put_chars(Encoding, Characters): prints what module io sends to the device.
Term put_chars_2(Call& call, const Term* arguments) {
  if (arguments[0] != atoms::kUnicode && arguments[0] != atoms::kLatin1) return call.badarg();
  const auto encoding =
      arguments[0] == atoms::kUnicode ? CharacterEncoding::kUnicode : CharacterEncoding::kLatin1;
  const auto text = characters_to_utf8(arguments[1], encoding);
  if (!text) return call.badarg();
  call.machine.device.print(*text);
  return atoms::kOk;
}

Term tells_what_was_printed_0(Call&, const Term*) {
  return atoms::boolean(installed_release().tells_what_was_printed);
}

// ravel_io:be_server(): the caller answers for the device from now on.
Term be_server_0(Call& call, const Term*) {
  call.machine.device.set_server(call.self().pid);
  return atoms::kOk;
}

namespace {

// The group leader of an application's processes hands everything on to the device, so printing to it is
// printing to the device, as long as it lives.
bool is_application_master(Call& call, Term pid) {
  const Process* process = pid.is_pid() ? call.machine.processes.find_alive(pid) : nullptr;
  const auto key = call.names.atoms.find("$initial_call"),
             master = call.names.atoms.find("application_master");
  if (process == nullptr || !key || !master) return false;
  const Term started_as = map_get(call.names, process->attributes.dictionary, *key);  // noted by proc_lib
  return is_tuple_of(started_as, 3) && element(started_as, 1) == *master;
}

bool leads_to_device(Call& call, Term pid) {
  return pid == call.names.device_pid() || is_application_master(call, pid);
}

}  // namespace

// ravel_io:own_leader(Pid) and ravel_io:is_watched_device(Device): the same as group_leader/0 and
// ravel_io:is_device/1, and operations.
Term own_leader_1(Call& call, const Term*) {
  call.machine.record.note_access(ObjectClass::kLeader, call.self().pid.pid_name(), access::kRead);
  return call.self().attributes.group_leader;
}

Term is_watched_device_1(Call& call, const Term* arguments) {
  const Term device = arguments[0];
  if (device == atoms::kUser || device == atoms::kStandardError) {
    call.machine.record.note_access(ObjectClass::kName, static_cast<std::uint64_t>(device.atom_id()),
                                    access::kRead);
    return atoms::boolean(call.machine.registry.whereis(device) == call.names.device_pid());
  }
  if (device == call.atom("standard_io"))
    return atoms::boolean(leads_to_device(call, own_leader_1(call, arguments)));
  return atoms::boolean(leads_to_device(call, device));
}

// ravel_io:is_device(Device): does it mean the device, by pid or by a name that stands for it? Local as long
// as no execution has shown that somebody changes what it depends on.
Term is_device_1(Call& call, const Term* arguments) {
  if (call.machine.run_time_code.are_devices_watched() && arguments[0].is_atom())
    return call.call_instead(call.atom("ravel_io"), call.atom("is_watched_device"), {arguments[0]});
  return is_watched_device_1(call, arguments);
}

Term assigns_in_comprehensions_0(Call&, const Term*) {
  return atoms::boolean(installed_release().assigns_in_comprehensions);
}
Term reserves_maybe_0(Call&, const Term*) { return atoms::boolean(installed_release().reserves_maybe); }

Term printable_range_0(Call&, const Term*) { return atoms::kLatin1; }
Term dflag_unicode_io_1(Call& call, const Term* arguments) {
  return arguments[0].is_pid() || is_foreign(arguments[0], atoms::kPid) ? atoms::kTrue : call.badarg();
}
Term warning_map_0(Call&, const Term*) { return atoms::kWarning; }

}  // namespace ravel::erlang
