// The words of ErlangSystem: what an event did, where in the source, what a bug is.
#include <algorithm>

#include "erlang/system/elixir_failure.h"
#include "erlang/system/erlang_system.h"
#include "erlang/system/test_runners.h"
#include "erlang/term/print.h"
#include "erlang/term/print_elixir.h"

namespace ravel::erlang {

namespace {

// How many operations are told of one step, in a call of an atomic module.
constexpr std::size_t kOperationsTold = 4;

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

// {Reason, StackTrace} without the trace, whose lines would change with every edit of the program.
Term without_trace(Term reason) {
  if (!is_tuple_of(reason, 2) || !element(reason, 2).is_cons()) return reason;
  const Term entry = element(reason, 2).head();
  return is_tuple_of(entry, 4) && element(entry, 1).is_atom() ? element(reason, 1) : reason;
}

// What EUnit has a name for, as src/erlang/lib/ravel_eunit.erl raises it: a fixture's setup that fails, a bad
// generator.
struct NamedFailure {
  std::string name;                  // empty: an ordinary exception
  Term reason;                       // of the exception behind it, or what is bad
  std::optional<ErrorClass> behind;  // nothing: no exception
};

NamedFailure named_failure(const Names& names, Term reason, ErrorClass error_class) {
  const auto text = [&](Term atom) { return atom.is_atom() ? names.atoms.text(atom) : std::string_view(); };
  if (is_tuple_of(reason, 4) && text(element(reason, 1)) == kEunitRunner) {
    NamedFailure failure{.name = {}, .reason = element(reason, 4), .behind = {}};
    const Term name = element(reason, 2);
    failure.name = is_tuple_of(name, 2) ? std::string(text(element(name, 1))) : std::string(text(name));
    if (is_tuple_of(name, 2) && is_tuple_of(element(name, 2), 3)) {
      const Term function = element(name, 2);
      failure.name += " (" +
                      print_function(names, element(function, 1), element(function, 2),
                                     static_cast<std::uint32_t>(element(function, 3).small_value())) +
                      ")";
    }
    const std::string_view behind = text(element(reason, 3));
    if (behind == "error") failure.behind = ErrorClass::kError;
    if (behind == "exit") failure.behind = ErrorClass::kExit;
    if (behind == "throw") failure.behind = ErrorClass::kThrow;
    return failure;
  }
  // A test that names a function which does not exist: eunit_test throws {eunit_internal, {Name, Term}}.
  if (error_class == ErrorClass::kThrow && is_tuple_of(reason, 2) && is_tuple_of(element(reason, 2), 2) &&
      text(element(element(reason, 2), 1)) == "eunit_internal" &&
      is_tuple_of(element(element(reason, 2), 2), 2)) {
    const Term problem = element(element(reason, 2), 2);
    return {.name = std::string(text(element(problem, 1))), .reason = element(problem, 2), .behind = {}};
  }
  return {.name = {}, .reason = reason, .behind = error_class};
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

// " in erlang:send/2" if the error was raised by a call that could not be carried out: a built-in, a function
// that does not exist or has no clause for its arguments. The trace has the arguments then, which differ
// between schedules.
std::string ErlangSystem::failed_call(Term trace) const {
  if (!trace.is_cons() || !is_tuple_of(trace.head(), 4)) return {};
  const Term entry = trace.head();
  if (!element(entry, 1).is_atom() || !element(entry, 2).is_atom() || element(entry, 3).is_small()) return {};
  std::uint32_t arity = 0;
  for (Term rest = element(entry, 3); rest.is_cons(); rest = rest.tail()) ++arity;
  return " in " + texts_.text_of_function(element(entry, 1), element(entry, 2), arity);
}

// Before a step: who acts, and where. (Afterwards the process may be gone.)
void ErlangSystem::prepare_description(Process& process) {
  last_ = {};
  texts_.choose(texts_.language_of(process));
  last_.actor = texts_.name_of(process.pid);
  if (process.rest == Rest::kEnding) {
    const Bug bug = bug_of_exit(process);
    last_.file = bug.file;
    last_.line = bug.line;
    if (!bug.file.empty()) last_.source = places_.line_text(bug.file, bug.line);
    return;
  }
  if (process.rest == Rest::kEnded) return;
  places_.describe_where(process, last_);
  if (process.rest == Rest::kMatched || process.rest == Rest::kTimeout)
    last_.constraint = texts_.constraint_of(process);
}

void ErlangSystem::finish_description(Term who) {
  last_.text.clear();
  for (const Term content : machine_->record.sent_contents)
    last_.sent.push_back(content.is_none() ? std::string() : texts_.text_of(content));
  const std::span<const EventRecord> earlier = machine_->record.earlier_events;
  for (const EventRecord& event : earlier.first(std::min(earlier.size(), kOperationsTold)))
    last_.text += describe_event(event) + "; ";
  if (earlier.size() > kOperationsTold)
    last_.text += std::to_string(earlier.size() - kOperationsTold) + " more operations; ";
  last_.text += describe_event(machine_->record.event);
  last_.is_aside = last_.is_aside && earlier.empty() && only_looks(who);
  if (!who.is_pid()) last_.actor = actors_.name_of(actors_.actor_of(who)).to_string();
}

bool ErlangSystem::only_looks(Term who) const {
  if (!who.is_pid() || machine_->record.event.kind != OperationKind::kBuiltin) return false;
  if (machine_->record.event.builtin->effect == Effect::kChoice) return false;
  const std::uint64_t itself = object_id(ObjectClass::kRun, who.pid_name());  // which each operation writes
  return std::ranges::all_of(machine_->record.footprint, [&](const Touched& touched) {
    return touched.access == access::kRead || touched.object == itself;
  });
}

EventDescription ErlangSystem::describe_last() { return last_; }

std::string ErlangSystem::describe_event(const EventRecord& event) const {
  const std::string form = event.reason == atoms::kExitMessage ? "the exit signal "
                           : event.is_priority                 ? "the priority message "
                                                               : "";
  switch (event.kind) {
    case OperationKind::kNone: return "goes on";
    case OperationKind::kSend: {
      std::string text = (event.is_priority ? "sends the priority message " : "sends ") +
                         texts_.text_of(event.value) + " to ";
      if (!event.reason.is_none() && event.result.is_none() && !event.reason.is_header())
        return text + texts_.text_of(event.subject) + ", which raises " + texts_.text_of(event.reason);
      if (event.object.is_none()) {
        text +=
            event.subject.is_pid() ? machine_->names.pid_text(event.subject) : texts_.text_of(event.subject);
        return text + ", which is gone";
      }
      return text + (event.object == Names::device_pid() ? std::string("the output device")
                                                         : texts_.name_of(event.object));
    }
    case OperationKind::kReceive: {
      std::string from = event.subject.is_pid()         ? texts_.name_of(event.subject)
                         : event.subject.is_reference() ? "timer " + texts_.text_of(event.subject)
                                                        : "the system";
      return "receives " + texts_.text_of(event.value) + " from " + from;
    }
    case OperationKind::kAfter: return "stops waiting after " + texts_.text_of(event.value) + " ms";
    case OperationKind::kBegin: return "begins";
    case OperationKind::kBlock: return "finds no message to receive, and blocks";
    case OperationKind::kEnd: return event.value == atoms::kNormal ? "ends" : text_of_end(event.value);
    case OperationKind::kTell: {
      if (event.value.is_none())
        return "has nothing to tell " + texts_.name_of(event.object) +
               ", which it is not linked with any more";
      return "sends " + form + texts_.text_of(event.value) + " to " + texts_.name_of(event.object) +
             ", as it has ended";
    }
    case OperationKind::kTimerFires:
      return event.object.is_none()
                 ? "expires; its receiver is gone"
                 : "expires and sends " + texts_.text_of(event.value) + " to " + texts_.name_of(event.object);
    case OperationKind::kKilled: return "kills " + texts_.name_of(event.object);
    case OperationKind::kLost:
    case OperationKind::kArrivesTwice:
      return std::string(event.kind == OperationKind::kLost ? "loses " : "duplicates ") + "the message " +
             texts_.text_of(event.value) + " from " + texts_.name_of(event.subject) + " to " +
             texts_.name_of(event.object);
    case OperationKind::kTimePasses:
      if (event.value.is_none()) return "time passes, and nothing else happens";
      return "time passes: " + texts_.text_of(event.value) + " ms";
    case OperationKind::kSignalArrives: {
      return "brings " + form + texts_.text_of(event.value) + " from " + texts_.name_of(event.subject) +
             " to " + texts_.name_of(event.object);
    }
    case OperationKind::kCall: {
      std::string text = event.object.is_none()
                             ? "calls a fun of " + texts_.text_of(event.subject) + "("
                             : "calls " + texts_.text_of(event.subject) +
                                   (texts_.language() == Language::kElixir ? "." : ":") +
                                   std::string(machine_->names.atoms.text(event.object)) + "(";
      const auto arity = static_cast<std::size_t>(event.value.small_value());
      for (std::size_t i = 0; i < std::min(arity, kRecordedArguments); ++i)
        text += (i == 0 ? "" : ", ") + texts_.text_of(event.arguments[i]);
      return text + (arity > kRecordedArguments ? ", ...)" : ")") + ", whose code may change";
    }
    case OperationKind::kBuiltin: break;
  }
  const Builtin& builtin = *event.builtin;
  const Term* arguments = event.arguments;
  const bool raised = event.result.is_none();
  const std::string_view name = builtin.name;
  const bool is_of_erlang =
      builtin.module == "erlang" || builtin.module == "ravel_otp" || builtin.module == "ravel_code";
  if (!raised && name.starts_with("spawn") && builtin.module == "erlang") {
    const Term child = is_tuple(event.result) ? element(event.result, 1) : event.result;
    std::string what;
    if (builtin.arity >= 3) what = texts_.text_of_spawned(arguments[0], arguments[1], arguments[2]);
    return "spawns " + texts_.name_of(child) + (what.empty() ? "" : " to run " + what);
  }
  if (!raised && builtin.effect == Effect::kChoice)
    return "chooses " + texts_.text_of(event.result) + " of " + texts_.text_of(arguments[0]);
  if (builtin.module == "ravel" && name == "label") return "passes the label " + texts_.text_of(arguments[0]);
  if (builtin.module == "ravel" && name == "probe")
    return arguments[1] == atoms::kUndefined
               ? "shows no " + texts_.text_of(arguments[0]) + " any more"
               : "shows " + texts_.text_of(arguments[0]) + " = " + texts_.text_of(arguments[1]);
  if (!raised && builtin.module == "ravel_code") {
    const bool is_good = is_tuple_of(event.result, 2) && element(event.result, 1) == atoms::kOk;
    if (name == "load")
      return is_good ? "loads module " + texts_.text_of(arguments[0])
                     : "fails to load module " + texts_.text_of(arguments[0]);
    if (name == "install") {
      std::string modules;
      for (Term rest = arguments[0]; rest.is_cons(); rest = rest.tail())
        modules += (modules.empty() ? "" : ", ") + texts_.text_of(element(rest.head(), 1));
      return "loads " + modules +
             (event.result == atoms::kOk ? "" : ", which gives " + texts_.text_of(event.result));
    }
    if (name == "purge_old")
      return "purges old code of module " + texts_.text_of(arguments[0]) + " -> " +
             texts_.text_of(event.result);
    if (name == "soft_purge_old")
      return "purges old code of module " + texts_.text_of(arguments[0]) + " if nobody runs it -> " +
             texts_.text_of(event.result);
    if (name == "delete")
      return "deletes module " + texts_.text_of(arguments[0]) + " -> " + texts_.text_of(event.result);
  }
  if (!raised && name == "own_leader") return "asks for its group leader -> " + texts_.name_of(event.result);
  if (!raised && name == "is_watched_device") return "asks who is " + texts_.text_of(arguments[0]);
  if (!raised && name == "register")
    return "registers " +
           (arguments[1].is_pid() ? machine_->names.pid_text(arguments[1]) : texts_.text_of(arguments[1])) +
           " as " + texts_.text_of(arguments[0]);
  const bool is_elixir = texts_.language() == Language::kElixir;
  std::string text = "calls ";
  if (!is_of_erlang) text += (is_elixir ? ":" : "") + std::string(builtin.module) + (is_elixir ? "." : ":");
  text += std::string(name) + "(";
  for (std::size_t i = 0; i < builtin.arity; ++i) {
    if (i > 0) text += ", ";
    text += i < kRecordedArguments ? texts_.text_of(arguments[i]) : "_";
  }
  text += ")";
  const MachineFault::Kind fault = machine_->faults.current().kind;
  const bool has_no_result =
      fault == MachineFault::Kind::kHalted || fault == MachineFault::Kind::kUnsupported;
  if (raised && has_no_result) return text;
  return raised ? text + ", which raises " + texts_.text_of(event.reason)
                : text + " -> " + texts_.text_of(event.result);
}

std::string ErlangSystem::text_of_end(Term reason) const {
  reason = without_trace(reason);
  if (texts_.language() == Language::kElixir)
    if (const auto raised = elixir_failure(machine_->names, reason)) return "raises " + *raised;
  const NamedFailure failure = named_failure(machine_->names, reason, ErrorClass::kThrow);
  if (failure.name.empty()) return "exits with reason " + texts_.text_of(reason);
  return "fails: " + failure.name + ", " + texts_.text_of(failure.reason);
}

std::optional<std::string> ErlangSystem::missing_module(Term reason, Term trace) const {
  if (!reason.is_atom() || machine_->names.atoms.text(reason) != "undef") return std::nullopt;
  if (!trace.is_cons() || !is_tuple_of(trace.head(), 4) || !element(trace.head(), 1).is_atom())
    return std::nullopt;
  const Term module = element(trace.head(), 1);
  if (program_.locate_module(machine_->names.atoms.text(module))) return std::nullopt;
  return texts_.text_of(module);
}

// What a bug is told in: the language of the user's own code in the stack trace, else that of the process.
void ErlangSystem::choose_language(const Process& process) {
  const Names& names = machine_->names;
  texts_.choose(texts_.language_of(process));
  for (Term trace = process.exit_trace; trace.is_cons(); trace = trace.tail()) {
    const Term module = is_tuple_of(trace.head(), 4) ? element(trace.head(), 1) : Term::nil();
    if (!module.is_atom() || program_.find(names.atoms.text(module)) == nullptr) continue;
    texts_.choose(is_elixir_module(names.atoms.text(module)) ? Language::kElixir : Language::kErlang);
    break;
  }
}

// Where: the places of a stack trace; and as the bug's own place the innermost one of the user's code.
void ErlangSystem::add_places_of_trace(Bug& bug, Term exit_trace) {
  const Names& names = machine_->names;
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
      const Module* module = machine_->code.loaded_module(element(entry, 1));
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
bool ErlangSystem::add_exunit_assertion(Bug& bug, Term reason) {
  const Names& names = machine_->names;
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
bool ErlangSystem::add_eunit_assertion(Bug& bug, const std::string& prefix, Term reason) {
  const Names& names = machine_->names;
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

Bug ErlangSystem::bug_of_exit(const Process& process) {
  const Names& names = machine_->names;
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
