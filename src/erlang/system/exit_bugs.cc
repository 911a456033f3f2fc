#include "erlang/system/exit_bugs.h"

#include <algorithm>
#include <string_view>

#include "erlang/system/elixir_failure.h"
#include "erlang/system/named_failure.h"
#include "erlang/system/test_runners.h"
#include "erlang/term/print_elixir.h"

namespace ravel::erlang {

namespace {

// {Key, Value} of a property list, or none.
Term property(const Names& names, Term list, std::string_view key) {
  for (; list.is_cons(); list = list.tail()) {
    const Term pair = list.head();
    if (is_tuple_of(pair, 2) && element(pair, 1).is_atom() && names.atoms.text(element(pair, 1)) == key)
      return element(pair, 2);
  }
  return Term::none();
}

// Text of a list of characters.
std::string characters(Term list) {
  std::string text;
  for (; list.is_cons() && list.head().is_small(); list = list.tail()) {
    const auto code = static_cast<std::uint32_t>(list.head().small_value());
    if (code < 0x80) {
      text += static_cast<char>(code);
    } else if (code < 0x800) {
      text += static_cast<char>(0xC0 | code >> 6);
      text += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      text += static_cast<char>(0xE0 | code >> 12);
      text += static_cast<char>(0x80 | (code >> 6 & 0x3F));
      text += static_cast<char>(0x80 | (code & 0x3F));
    }
  }
  return text;
}

std::uint32_t length_of(Term list) {
  std::uint32_t length = 0;
  for (; list.is_cons(); list = list.tail()) ++length;
  return length;
}

// Whether this part of a stack trace is of what runs EUnit's tests, and all after it as well.
bool is_trace_of_runner(const Names& names, Term trace) {
  for (; trace.is_cons(); trace = trace.tail()) {
    const Term entry = trace.head();
    const std::string_view module = is_tuple_of(entry, 4) && element(entry, 1).is_atom()
                                        ? names.atoms.text(element(entry, 1))
                                        : std::string_view();
    if (is_runner(module)) return true;
    if (!module.starts_with("eunit_")) return false;
  }
  return false;
}

}  // namespace

// What a bug is told in: the language of the user's own code in the stack trace, else that of the process.
void ExitBugs::choose_language(const Process& process) {
  const Names& names = machine_.names;
  texts_.choose(texts_.language_of(process));
  for (Term trace = process.exit_trace; trace.is_cons(); trace = trace.tail()) {
    const Term module = is_tuple_of(trace.head(), 4) ? element(trace.head(), 1) : Term::nil();
    if (!module.is_atom() || program_.find(names.atoms.text(module)) == nullptr) continue;
    texts_.choose(is_elixir_module(names.atoms.text(module)) ? Language::kElixir : Language::kErlang);
    break;
  }
}

std::optional<std::string> ExitBugs::missing_module(Term reason, Term trace) const {
  if (!reason.is_atom() || machine_.names.atoms.text(reason) != "undef") return std::nullopt;
  if (!trace.is_cons() || !is_tuple_of(trace.head(), 4) || !element(trace.head(), 1).is_atom())
    return std::nullopt;
  const Term module = element(trace.head(), 1);
  if (program_.locate_module(machine_.names.atoms.text(module))) return std::nullopt;
  return texts_.text_of(module);
}

// " in erlang:send/2" if the error was raised by a call that could not be carried out: a built-in, a function
// that does not exist or has no clause for its arguments. The trace has the arguments then, which differ
// between schedules.
std::string ExitBugs::failed_call(Term trace) const {
  if (!trace.is_cons() || !is_tuple_of(trace.head(), 4)) return {};
  const Term entry = trace.head();
  if (!element(entry, 1).is_atom() || !element(entry, 2).is_atom() || element(entry, 3).is_small()) return {};
  std::uint32_t arity = 0;
  for (Term rest = element(entry, 3); rest.is_cons(); rest = rest.tail()) ++arity;
  return " in " + texts_.text_of_function(element(entry, 1), element(entry, 2), arity);
}

// Where: the places of a stack trace; and as the bug's own place the innermost one of the user's code.
void ExitBugs::add_places_of_trace(Bug& bug, Term exit_trace) const {
  const Names& names = machine_.names;
  for (Term trace = exit_trace; trace.is_cons() && !is_trace_of_runner(names, trace); trace = trace.tail()) {
    const Term entry = trace.head();
    if (!is_tuple_of(entry, 4) || !element(entry, 1).is_atom()) continue;
    const Term file = property(names, element(entry, 4), "file"),
               line = property(names, element(entry, 4), "line");
    const Term arity = element(entry, 3);
    const std::uint32_t count =
        arity.is_small() ? static_cast<std::uint32_t>(arity.small_value()) : length_of(arity);
    std::string text = "in " + texts_.text_of_function(element(entry, 1), element(entry, 2), count);
    if (!arity.is_small()) text += " with arguments " + texts_.text_of(arity);
    if (!file.is_none() && line.is_small()) {
      const Module* module = machine_.code.loaded_module(element(entry, 1));
      const std::string path = program_.source_path(module, characters(file));
      text += " (" + path + ":" + std::to_string(line.small_value()) + ")";
      if (bug.file.empty() && program_.find(names.atoms.text(element(entry, 1))) != nullptr) {
        bug.file = path;
        bug.line = static_cast<std::uint32_t>(line.small_value());
      }
    }
    bug.details.push_back(text);
  }
}

// Whether the reason is a failed assertion of ExUnit.
bool ExitBugs::add_exunit_assertion(Bug& bug, Term reason) const {
  const Names& names = machine_.names;
  const auto assertion = exunit_assertion(names, reason);
  if (!assertion) return false;
  bug.kind = "assertion";
  bug.message = *assertion;
  std::string_view separator = ": ";
  const auto side = [&](std::string_view key) {
    const Term value = elixir_field(names, reason, key);
    const bool is_given =
        !value.is_none() && !(value.is_atom() && names.atoms.text(value) == "ex_unit_no_meaningful_value");
    if (!is_given) return;
    bug.message += std::string(separator) + std::string(key) + ": " + texts_.text_of(value);
    separator = ", ";
  };
  // What stands on the left of a match is a pattern, as code.
  if (!assertion->starts_with("match (")) side("left");
  side("right");
  return true;
}

// Whether the reason is a failed assertion of EUnit: {assertEqual, [{module, M}, {line, L}, {expression, E},
// ...]}.
bool ExitBugs::add_eunit_assertion(Bug& bug, const std::string& prefix, Term reason) const {
  const Names& names = machine_.names;
  const bool is_one = is_tuple_of(reason, 2) && element(reason, 1).is_atom() &&
                      names.atoms.text(element(reason, 1)).starts_with("assert") &&
                      element(reason, 2).is_cons() && !property(names, element(reason, 2), "line").is_none();
  if (!is_one) return false;
  const Term info = element(reason, 2);
  bug.kind = "assertion";
  bug.message = prefix + "?" + std::string(names.atoms.text(element(reason, 1))) + " failed";
  const auto part = [&](std::string_view key) { return property(names, info, key); };
  if (const Term expression = part("expression"); !expression.is_none())
    bug.message += ": " + characters(expression);
  else if (const Term tested = part("tested"); !tested.is_none())
    bug.message += ": " + characters(tested);
  if (const Term expected = part("expected"); !expected.is_none())
    bug.message += ": expected " + texts_.text_of(expected);
  else if (const Term pattern = part("pattern"); !pattern.is_none())
    bug.message += ": expected " + characters(pattern);
  if (const Term value = part("value"); !value.is_none())
    bug.message += ", got " + texts_.text_of(value);
  else if (const Term success = part("unexpected_success"); !success.is_none())
    bug.message += ", got the value " + texts_.text_of(success);
  else if (const Term exception = part("unexpected_exception"); !exception.is_none())
    bug.message += ", got the exception " + texts_.text_of(exception);
  const Term line = part("line"), module = part("module");
  if (line.is_small()) {
    bug.line = static_cast<std::uint32_t>(line.small_value());
    if (module.is_atom())
      if (const ProgramModule* own = program_.find(names.atoms.text(module));
          own != nullptr && !own->source.empty())
        bug.file = own->source;
  }
  return true;
}

Bug ExitBugs::bug_of_exit(const Process& process) {
  const Names& names = machine_.names;
  choose_language(process);
  Bug bug;
  bug.actor = names.pid_text(process.pid);
  bug.kind = "abnormal_exit";
  Term reason = process.exit_reason;
  if (process.ends_by_exception && process.exit_class != ErrorClass::kExit && is_tuple_of(reason, 2))
    reason = element(reason, 1);  // without the stack trace
  // What proc_lib exits with after an error has one, too.
  bool was_error = false;
  if (process.ends_by_exception && process.exit_class == ErrorClass::kExit) {
    was_error = without_trace(reason) != reason;
    reason = without_trace(reason);
  }
  NamedFailure failure{.name = {}, .reason = reason, .behind = {}};
  if (process.ends_by_exception) failure = named_failure(names, reason, process.exit_class);
  reason = failure.reason;
  const std::string prefix = failure.name.empty() ? "" : failure.name + ": ";

  add_places_of_trace(bug, process.exit_trace);
  if (const auto module = missing_module(reason, process.exit_trace))
    bug.details.insert(
        bug.details.begin(),
        "no module " + *module + " was found: its file, or the --pa folder that has it, is to be given");

  if (add_exunit_assertion(bug, reason)) return bug;
  const auto raised = elixir_failure(names, reason);
  if (texts_.language() == Language::kElixir && process.ends_by_exception &&
      (failure.behind == ErrorClass::kError || (was_error && raised))) {
    bug.message =
        "a process raises " + (raised ? *raised : texts_.text_of(reason)) + failed_call(process.exit_trace);
    return bug;
  }

  if (process.ends_by_exception && add_eunit_assertion(bug, prefix, reason)) return bug;
  if (!process.exit_origin.is_none()) {
    bug.message = "a process is ended by an exit signal with reason " + texts_.text_of(process.exit_reason);
    bug.details.push_back(process.exit_origin == Mishaps::kOrigin
                              ? "the environment has killed it (--kill)"
                              : "the signal came from " + texts_.name_of(process.exit_origin));
    return bug;
  }
  if (process.ends_by_exception && !failure.behind) {
    bug.message = prefix + texts_.text_of(reason);
    return bug;
  }
  const char* how = failure.behind == ErrorClass::kError   ? "fails with the error "
                    : failure.behind == ErrorClass::kThrow ? "fails with an uncaught throw: "
                                                           : "exits with reason ";
  bug.message = prefix + "a process " + how + texts_.text_of(reason);
  if (failure.behind == ErrorClass::kError) bug.message += failed_call(process.exit_trace);
  if (process.exit_reason == atoms::kNormal) bug.details.push_back("for EUnit, a test that exits has failed");
  return bug;
}

}  // namespace ravel::erlang
