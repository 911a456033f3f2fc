// Built-ins between text and what has no literal: pids, references, ports, funs; nodes; dates.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "erlang/bif/builtins.h"
#include "erlang/bif/shown_names.h"
#include "erlang/machine/machine.h"
#include "erlang/term/big_integer.h"
#include "erlang/term/calendar.h"
#include "erlang/term/header.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

namespace {

bool is_foreign(Term t, Term type) { return is_kind(t, Kind::kForeign) && t.object()[1] == type; }

Term to_list(Call& call, Term t) {
  if (!may_show(call, t, NameUse::kText)) return Term::none();
  const std::string text = print_term(call.names, t, {.style = PrintStyle::kDisplay});
  Term list = Term::nil();
  for (std::size_t i = text.size(); i-- > 0;)
    list = call.heap.cons(Term::small(static_cast<unsigned char>(text[i])), list);
  return list;
}

// The text of a proper list of bytes.
std::optional<std::string> text_of(Term list) {
  std::string text;
  for (; list.is_cons(); list = list.tail()) {
    const Term head = list.head();
    if (!head.is_small() || head.small_value() < 0 || head.small_value() > 0xFF) return std::nullopt;
    text += static_cast<char>(head.small_value());
  }
  if (!list.is_nil()) return std::nullopt;
  return text;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// A decimal number without leading zeros, as we print it.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || (text[0] == '0' && end != text.data() + 1)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// "P.1.2", "S.1", or "io". None if it is not the name of a process.
Term take_process(Names& names, std::string_view& text) {
  if (take(text, names.pid_text(Names::device_pid()))) return Names::device_pid();
  Term pid = text.starts_with("S") ? names.system_pid() : names.root_pid();
  if (!take(text, names.pid_text(pid))) return Term::none();
  while (take(text, ".")) {
    const auto ordinal = take_number<std::uint32_t>(text);
    if (!ordinal || *ordinal == 0) return Term::none();
    pid = names.child_pid(pid, *ordinal);
  }
  return pid;
}

Term pid_to_list_1(Call& call, const Term* arguments) {
  const Term t = arguments[0];
  return t.is_pid() || is_foreign(t, atoms::kPid) ? to_list(call, t) : call.badarg();
}

Term ref_to_list_1(Call& call, const Term* arguments) {
  const Term t = arguments[0];
  return t.is_reference() || is_foreign(t, atoms::kReference) ? to_list(call, t) : call.badarg();
}

Term port_to_list_1(Call& call, const Term* arguments) {
  const Term t = arguments[0];
  return t.is_port() || is_foreign(t, atoms::kPort) ? to_list(call, t) : call.badarg();
}

Term fun_to_list_1(Call& call, const Term* arguments) {
  return is_fun(arguments[0]) ? to_list(call, arguments[0]) : call.badarg();
}

Term list_to_pid_1(Call& call, const Term* arguments) {
  const auto text = text_of(arguments[0]);
  if (!text) return call.badarg();
  std::string_view rest = *text;
  if (!take(rest, "<")) return call.badarg();
  const Term pid = take_process(call.names, rest);
  if (pid.is_none() || rest != ">") return call.badarg();
  return may_show(call, pid, NameUse::kText) ? pid : Term::none();
}

Term list_to_ref_1(Call& call, const Term* arguments) {
  const auto text = text_of(arguments[0]);
  if (!text) return call.badarg();
  std::string_view rest = *text;
  if (!take(rest, "#Ref<")) return call.badarg();
  const Term creator = take_process(call.names, rest);
  if (creator.is_none() || !take(rest, ":")) return call.badarg();
  const bool is_table = take(rest, "t");
  const auto index = take_number<std::uint64_t>(rest);
  if (!index || *index >= Names::kTableMark || rest != ">") return call.badarg();
  if (!may_show(call, creator, NameUse::kText)) return Term::none();
  return is_table ? Names::make_table_id(creator, *index) : Names::make_reference(creator, *index);
}

Term list_to_port_1(Call& call, const Term* arguments) {
  const auto text = text_of(arguments[0]);
  if (!text) return call.badarg();
  std::string_view rest = *text;
  if (!take(rest, "#Port<0.")) return call.badarg();
  const auto name = take_number<std::uint64_t>(rest);
  return name && *name >> 58 == 0 && rest == ">" ? Term::port(*name) : call.badarg();
}

Term node_0(Call&, const Term*) { return atoms::kNoname; }

Term node_1(Call& call, const Term* arguments) {
  const Term t = arguments[0];
  if (t.is_pid() || t.is_reference() || t.is_port()) return atoms::kNoname;
  return is_kind(t, Kind::kForeign) ? t.object()[2] : call.badarg();
}

Term posixtime_to_universaltime_1(Call& call, const Term* arguments) {
  const auto seconds = to_int64(arguments[0]);
  if (!seconds) return call.badarg();
  const DateTime date = date_of_seconds(*seconds);
  const auto triple = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
    return call.heap.tuple({Term::small(a), Term::small(b), Term::small(c)});
  };
  const Term day = triple(date.year, date.month, date.day);
  return call.heap.tuple({day, triple(date.hour, date.minute, date.second)});
}

Term universaltime_to_posixtime_1(Call& call, const Term* arguments) {
  if (!is_tuple_of(arguments[0], 2)) return call.badarg();
  std::int64_t parts[6];
  for (Word half = 0; half < 2; ++half) {
    const Term triple = element(arguments[0], half + 1);
    if (!is_tuple_of(triple, 3)) return call.badarg();
    for (Word i = 0; i < 3; ++i) {
      if (!element(triple, i + 1).is_small()) return call.badarg();
      parts[3 * half + i] = element(triple, i + 1).small_value();
    }
  }
  const auto seconds = seconds_of_date({.year = parts[0],
                                        .month = parts[1],
                                        .day = parts[2],
                                        .hour = parts[3],
                                        .minute = parts[4],
                                        .second = parts[5]});
  return seconds ? call.heap.integer(*seconds) : call.badarg();
}

constexpr auto kTextBuiltins = std::to_array<Builtin>({
    {"erlang", "fun_to_list", 1, Effect::kPure, fun_to_list_1},
    {"erlang", "list_to_pid", 1, Effect::kPure, list_to_pid_1},
    {"erlang", "list_to_port", 1, Effect::kPure, list_to_port_1},
    {"erlang", "list_to_ref", 1, Effect::kPure, list_to_ref_1},
    {"erlang", "node", 0, Effect::kPure, node_0},
    {"erlang", "node", 1, Effect::kPure, node_1},
    {"erlang", "pid_to_list", 1, Effect::kPure, pid_to_list_1},
    {"erlang", "port_to_list", 1, Effect::kPure, port_to_list_1},
    {"erlang", "posixtime_to_universaltime", 1, Effect::kPure, posixtime_to_universaltime_1},
    {"erlang", "ref_to_list", 1, Effect::kPure, ref_to_list_1},
    {"erlang", "universaltime_to_posixtime", 1, Effect::kPure, universaltime_to_posixtime_1},
});
static_assert(std::ranges::is_sorted(kTextBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> text_builtins() { return kTextBuiltins; }

}  // namespace ravel::erlang
