// The words of ErlangSystem: what an event did, where in the source, what a bug is.
#include <algorithm>

#include "erlang/system/elixir_failure.h"
#include "erlang/system/elixir_receive_clauses.h"
#include "erlang/system/elixir_receive_line.h"
#include "erlang/system/erlang_system.h"
#include "erlang/system/receive_clauses.h"
#include "erlang/system/receive_line.h"
#include "erlang/system/spawned_function.h"
#include "erlang/system/test_runners.h"
#include "erlang/term/print.h"
#include "erlang/term/print_elixir.h"

namespace ravel::erlang {

namespace {

constexpr PrintOptions kShort{.depth_max = 12, .elements_max = 30, .bytes_max = 400};

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

// How many receives the function's code, which begins at `start`, has before this one. Words are compared,
// not instructions: a constant that looks like one would only make the line wrong.
std::size_t receives_before(const CodeArea& code, std::uint32_t start, const CodeWord* receive) {
  std::size_t count = 0;
  for (const CodeWord* at = code.at(start); at < receive; ++at) count += at->bits == receive->bits;
  return count;
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

Language ErlangSystem::language_of(const Process& process) const {
  const CodeWord* const place = best_place(machine_->traces.places_of(process));
  const Module* const module = place == nullptr ? nullptr : machine_->code.describe_place(place).module;
  if (module == nullptr) return test_language_;
  const std::string_view name = machine_->names.atoms.text(module->name);
  if (program_.find(name) == nullptr) return test_language_;
  return is_elixir_module(name) ? Language::kElixir : Language::kErlang;
}

std::string ErlangSystem::text_of(Term term) const {
  return language_ == Language::kElixir ? print_elixir_term(machine_->names, term, kShort)
                                        : print_term(machine_->names, term, kShort);
}

// A function for readers. Functions that the compiler makes of funs (-start/0-fun-0-) are numbered, and the
// numbers would change with edits of the program, so they are named after the function that holds them.
std::string ErlangSystem::text_of_function(Term module, Term function, std::uint32_t arity) const {
  const Names& names = machine_->names;
  const bool is_elixir = language_ == Language::kElixir || is_elixir_module(names.atoms.text(module));
  std::string_view name = names.atoms.text(function);
  if (!name.starts_with('-'))
    return is_elixir ? print_elixir_function(names, module, function, arity)
                     : print_function(names, module, function, arity);
  name.remove_prefix(1);
  const std::size_t slash = name.find('/');
  const std::string_view holder = name.substr(0, name.find('-', slash == name.npos ? 0 : slash));
  return is_elixir ? "a function in " + print_elixir_atom(names, module) + "." + std::string(holder)
                   : "a fun of " + print_atom(names, module) + ":" + std::string(holder);
}

// What a spawned fun is for readers: its number and hash would change with every edit of the program.
std::string ErlangSystem::text_of_fun(Term fun) const {
  if (!is_kind(fun, Kind::kFun)) return {};
  const FunEntry& entry = machine_->names.fun(static_cast<std::uint32_t>(fun.object()[1].small_value()));
  if (!entry.name.is_atom()) return "a fun of module " + text_of(entry.module);
  return text_of_function(entry.module, entry.name, entry.arity);
}

std::string ErlangSystem::text_of_spawned(Term module, Term function, Term arguments) const {
  const SpawnedFunction spawned = spawned_function(machine_->names, module, function, arguments);
  if (!spawned.fun.is_none()) return text_of_fun(spawned.fun);
  if (!spawned.module.is_atom() || !spawned.function.is_atom())
    return text_of(spawned.module) + ":" + text_of(spawned.function);
  const std::string text = text_of_function(spawned.module, spawned.function, spawned.arity);
  return spawned.behaviour.empty() ? text : text + " (" + std::string(spawned.behaviour) + ")";
}

// " in erlang:send/2" if the error was raised by a call that could not be carried out: a built-in, a function
// that does not exist or has no clause for its arguments. The trace has the arguments then, which differ
// between schedules.
std::string ErlangSystem::failed_call(Term trace) const {
  if (!trace.is_cons() || !is_tuple_of(trace.head(), 4)) return {};
  const Term entry = trace.head();
  if (!element(entry, 1).is_atom() || !element(entry, 2).is_atom() || element(entry, 3).is_small()) return {};
  std::uint32_t arity = 0;
  for (Term rest = element(entry, 3); rest.is_cons(); rest = rest.tail()) ++arity;
  return " in " + text_of_function(element(entry, 1), element(entry, 2), arity);
}

std::string ErlangSystem::name_of(Term pid) const {
  if (!pid.is_pid()) return text_of(pid);
  std::string name = machine_->names.pid_text(pid);
  const Process* process = machine_->processes.find(pid);
  if (process != nullptr && !process->attributes.registered_name.is_none())
    name += " (" +
            (language_ == Language::kElixir
                 ? print_elixir_atom(machine_->names, process->attributes.registered_name)
                 : print_atom(machine_->names, process->attributes.registered_name)) +
            ")";
  return name;
}

bool ErlangSystem::is_own(const CodeWord* place) const {
  const CodePlace found = machine_->code.describe_place(place);
  return found.module != nullptr && found.line != 0 &&
         program_.find(machine_->names.atoms.text(found.module->name)) != nullptr;
}

const CodeWord* ErlangSystem::best_place(std::span<const CodeWord* const> places) const {
  const auto own = std::ranges::find_if(places, [&](const CodeWord* place) { return is_own(place); });
  if (own != places.end()) return *own;
  return places.empty() ? nullptr : places.front();
}

std::string ErlangSystem::function_of(const Process& process) const {
  const CodeWord* const place = best_place(machine_->traces.places_of(process));
  const CodePlace found = place == nullptr ? CodePlace{} : machine_->code.describe_place(place);
  if (found.module == nullptr) return "an unknown place";
  return text_of_function(found.module->name, found.function, found.arity);
}

void ErlangSystem::describe_where(const Process& process, EventDescription& description) const {
  const std::vector<const CodeWord*> places = machine_->traces.places_of(process);
  const CodeWord* const place = best_place(places);
  const bool is_in_receive = !process.is_before_operation() && process.rest != Rest::kEnding;
  const bool is_receive =
      is_in_receive && process.receive_pc != nullptr && !places.empty() && place == places.front();
  description.is_aside = place != nullptr && !is_own(place);
  // Where it waits comes after the bodies of the clauses, with their lines: the receive begins before them.
  describe_where(is_receive ? process.receive_pc : place, description,
                 is_receive ? Place::kReceive : Place::kOther);
}

void ErlangSystem::describe_where(const CodeWord* place, EventDescription& description, Place what) const {
  const CodePlace found = machine_->code.describe_place(place);
  if (found.module == nullptr || found.line == 0) return;
  description.file = program_.source_path(found.module, found.file);
  description.line = found.line;
  if (what == Place::kReceive) description.line = receive_place(place, found, description.file).line;
  std::string_view source = program_.source_line(description.file, description.line);
  source.remove_prefix(std::min(source.find_first_not_of(" \t"), source.size()));
  description.source = source;
}

// If it is not in the source, the line of some call before it.
ReceivePlace ErlangSystem::receive_place(const CodeWord* receive, const CodePlace& found,
                                         const std::string& file) const {
  const CodeArea& code = machine_->code.area();
  std::uint32_t start = 0;
  for (const LoadedFunction& function : found.module->functions)
    if (function.start <= code.index_of(receive)) start = function.start;
  const ReceivePlace unknown{.line = found.line};
  const std::uint32_t head = machine_->code.describe_place(code.at(start)).line;
  if (head == 0) return unknown;
  const auto text = [&](std::uint32_t line) { return program_.source_line(file, line); };
  const std::size_t before = receives_before(code, start, receive);
  if (is_elixir_module(machine_->names.atoms.text(found.module->name)))
    return find_elixir_receive(text, head, before).value_or(unknown);
  const bool is_in_fun = machine_->names.atoms.text(found.function).starts_with('-');
  return find_receive(text, head, before, is_in_fun ? FunBodies::kRead : FunBodies::kSkip).value_or(unknown);
}

// Before a step: who acts, and where. (Afterwards the process may be gone.)
void ErlangSystem::prepare_description(Process& process) {
  last_ = {};
  language_ = language_of(process);
  last_.actor = name_of(process.pid);
  if (process.rest == Rest::kEnding) {
    const Bug bug = bug_of_exit(process);
    last_.file = bug.file;
    last_.line = bug.line;
    if (!bug.file.empty()) {
      std::string_view source = program_.source_line(bug.file, bug.line);
      source.remove_prefix(std::min(source.find_first_not_of(" \t"), source.size()));
      last_.source = source;
    }
    return;
  }
  if (process.rest == Rest::kEnded) return;
  describe_where(process, last_);
  if (process.rest == Rest::kMatched || process.rest == Rest::kTimeout)
    last_.constraint = constraint_of(process);
}

std::string ErlangSystem::constraint_of(const Process& process) const {
  if (process.receive_pc == nullptr) return "no message";  // a receive with an `after` alone
  const CodePlace found = machine_->code.describe_place(process.receive_pc);
  if (found.module == nullptr) return {};
  if (found.line != 0) {
    const std::string file = program_.source_path(found.module, found.file);
    const auto text = [&](std::uint32_t line) { return program_.source_line(file, line); };
    const ReceivePlace place = receive_place(process.receive_pc, found, file);
    const bool is_elixir = is_elixir_module(machine_->names.atoms.text(found.module->name));
    std::string clauses = is_elixir ? elixir_receive_clauses(text, place) : receive_clauses(text, place);
    if (!clauses.empty()) return clauses;
  }
  return "a receive of " + text_of_function(found.module->name, found.function, found.arity);
}

void ErlangSystem::finish_description(Term who) {
  last_.text.clear();
  for (const Term content : machine_->record.sent_contents)
    last_.sent.push_back(content.is_none() ? std::string() : text_of(content));
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
      std::string text =
          (event.is_priority ? "sends the priority message " : "sends ") + text_of(event.value) + " to ";
      if (!event.reason.is_none() && event.result.is_none() && !event.reason.is_header())
        return text + text_of(event.subject) + ", which raises " + text_of(event.reason);
      if (event.object.is_none()) {
        text += event.subject.is_pid() ? machine_->names.pid_text(event.subject) : text_of(event.subject);
        return text + ", which is gone";
      }
      return text +
             (event.object == Names::device_pid() ? std::string("the output device") : name_of(event.object));
    }
    case OperationKind::kReceive: {
      std::string from = event.subject.is_pid()         ? name_of(event.subject)
                         : event.subject.is_reference() ? "timer " + text_of(event.subject)
                                                        : "the system";
      return "receives " + text_of(event.value) + " from " + from;
    }
    case OperationKind::kAfter: return "stops waiting after " + text_of(event.value) + " ms";
    case OperationKind::kBegin: return "begins";
    case OperationKind::kBlock: return "finds no message to receive, and blocks";
    case OperationKind::kEnd: return event.value == atoms::kNormal ? "ends" : text_of_end(event.value);
    case OperationKind::kTell: {
      if (event.value.is_none())
        return "has nothing to tell " + name_of(event.object) + ", which it is not linked with any more";
      return "sends " + form + text_of(event.value) + " to " + name_of(event.object) + ", as it has ended";
    }
    case OperationKind::kTimerFires:
      return event.object.is_none()
                 ? "expires; its receiver is gone"
                 : "expires and sends " + text_of(event.value) + " to " + name_of(event.object);
    case OperationKind::kKilled: return "kills " + name_of(event.object);
    case OperationKind::kLost:
    case OperationKind::kArrivesTwice:
      return std::string(event.kind == OperationKind::kLost ? "loses " : "duplicates ") + "the message " +
             text_of(event.value) + " from " + name_of(event.subject) + " to " + name_of(event.object);
    case OperationKind::kTimePasses:
      if (event.value.is_none()) return "time passes, and nothing else happens";
      return "time passes: " + text_of(event.value) + " ms";
    case OperationKind::kSignalArrives: {
      return "brings " + form + text_of(event.value) + " from " + name_of(event.subject) + " to " +
             name_of(event.object);
    }
    case OperationKind::kCall: {
      std::string text = event.object.is_none()
                             ? "calls a fun of " + text_of(event.subject) + "("
                             : "calls " + text_of(event.subject) +
                                   (language_ == Language::kElixir ? "." : ":") +
                                   std::string(machine_->names.atoms.text(event.object)) + "(";
      const auto arity = static_cast<std::size_t>(event.value.small_value());
      for (std::size_t i = 0; i < std::min(arity, kRecordedArguments); ++i)
        text += (i == 0 ? "" : ", ") + text_of(event.arguments[i]);
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
    if (builtin.arity >= 3) what = text_of_spawned(arguments[0], arguments[1], arguments[2]);
    return "spawns " + name_of(child) + (what.empty() ? "" : " to run " + what);
  }
  if (!raised && builtin.effect == Effect::kChoice)
    return "chooses " + text_of(event.result) + " of " + text_of(arguments[0]);
  if (builtin.module == "ravel" && name == "label") return "passes the label " + text_of(arguments[0]);
  if (builtin.module == "ravel" && name == "probe")
    return arguments[1] == atoms::kUndefined
               ? "shows no " + text_of(arguments[0]) + " any more"
               : "shows " + text_of(arguments[0]) + " = " + text_of(arguments[1]);
  if (!raised && builtin.module == "ravel_code") {
    const bool is_good = is_tuple_of(event.result, 2) && element(event.result, 1) == atoms::kOk;
    if (name == "load")
      return is_good ? "loads module " + text_of(arguments[0])
                     : "fails to load module " + text_of(arguments[0]);
    if (name == "install") {
      std::string modules;
      for (Term rest = arguments[0]; rest.is_cons(); rest = rest.tail())
        modules += (modules.empty() ? "" : ", ") + text_of(element(rest.head(), 1));
      return "loads " + modules +
             (event.result == atoms::kOk ? "" : ", which gives " + text_of(event.result));
    }
    if (name == "purge_old")
      return "purges old code of module " + text_of(arguments[0]) + " -> " + text_of(event.result);
    if (name == "soft_purge_old")
      return "purges old code of module " + text_of(arguments[0]) + " if nobody runs it -> " +
             text_of(event.result);
    if (name == "delete") return "deletes module " + text_of(arguments[0]) + " -> " + text_of(event.result);
  }
  if (!raised && name == "own_leader") return "asks for its group leader -> " + name_of(event.result);
  if (!raised && name == "is_watched_device") return "asks who is " + text_of(arguments[0]);
  if (!raised && name == "register")
    return "registers " +
           (arguments[1].is_pid() ? machine_->names.pid_text(arguments[1]) : text_of(arguments[1])) + " as " +
           text_of(arguments[0]);
  const bool is_elixir = language_ == Language::kElixir;
  std::string text = "calls ";
  if (!is_of_erlang) text += (is_elixir ? ":" : "") + std::string(builtin.module) + (is_elixir ? "." : ":");
  text += std::string(name) + "(";
  for (std::size_t i = 0; i < builtin.arity; ++i) {
    if (i > 0) text += ", ";
    text += i < kRecordedArguments ? text_of(arguments[i]) : "_";
  }
  text += ")";
  const MachineFault::Kind fault = machine_->faults.current().kind;
  const bool has_no_result =
      fault == MachineFault::Kind::kHalted || fault == MachineFault::Kind::kUnsupported;
  if (raised && has_no_result) return text;
  return raised ? text + ", which raises " + text_of(event.reason) : text + " -> " + text_of(event.result);
}

std::string ErlangSystem::text_of_end(Term reason) const {
  reason = without_trace(reason);
  if (language_ == Language::kElixir)
    if (const auto raised = elixir_failure(machine_->names, reason)) return "raises " + *raised;
  const NamedFailure failure = named_failure(machine_->names, reason, ErrorClass::kThrow);
  if (failure.name.empty()) return "exits with reason " + text_of(reason);
  return "fails: " + failure.name + ", " + text_of(failure.reason);
}

std::optional<std::string> ErlangSystem::missing_module(Term reason, Term trace) const {
  if (!reason.is_atom() || machine_->names.atoms.text(reason) != "undef") return std::nullopt;
  if (!trace.is_cons() || !is_tuple_of(trace.head(), 4) || !element(trace.head(), 1).is_atom())
    return std::nullopt;
  const Term module = element(trace.head(), 1);
  if (program_.locate_module(machine_->names.atoms.text(module))) return std::nullopt;
  return text_of(module);
}

// What a bug is told in: the language of the user's own code in the stack trace, else that of the process.
void ErlangSystem::choose_language(const Process& process) {
  const Names& names = machine_->names;
  language_ = language_of(process);
  for (Term trace = process.exit_trace; trace.is_cons(); trace = trace.tail()) {
    const Term module = is_tuple_of(trace.head(), 4) ? element(trace.head(), 1) : Term::nil();
    if (!module.is_atom() || program_.find(names.atoms.text(module)) == nullptr) continue;
    language_ = is_elixir_module(names.atoms.text(module)) ? Language::kElixir : Language::kErlang;
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
    std::string text = "in " + text_of_function(element(entry, 1), element(entry, 2), count);
    if (!arity.is_small()) text += " with arguments " + text_of(arity);
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
    bug.message += std::string(separator) + std::string(key) + ": " + text_of(value);
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
    bug.message += ": expected " + text_of(expected);
  else if (const Term pattern = part("pattern"); !pattern.is_none())
    bug.message += ": expected " + characters(pattern);
  if (const Term value = part("value"); !value.is_none())
    bug.message += ", got " + text_of(value);
  else if (const Term success = part("unexpected_success"); !success.is_none())
    bug.message += ", got the value " + text_of(success);
  else if (const Term exception = part("unexpected_exception"); !exception.is_none())
    bug.message += ", got the exception " + text_of(exception);
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
  if (language_ == Language::kElixir && process.ends_by_exception &&
      (failure.behind == ErrorClass::kError || (was_error && raised))) {
    bug.message =
        "a process raises " + (raised ? *raised : text_of(reason)) + failed_call(process.exit_trace);
    return bug;
  }

  if (process.ends_by_exception && add_eunit_assertion(bug, prefix, reason)) return bug;
  if (!process.exit_origin.is_none()) {
    bug.message = "a process is ended by an exit signal with reason " + text_of(process.exit_reason);
    bug.details.push_back(process.exit_origin == Mishaps::kOrigin
                              ? "the environment has killed it (--kill)"
                              : "the signal came from " + name_of(process.exit_origin));
    return bug;
  }
  if (process.ends_by_exception && !failure.behind) {
    bug.message = prefix + text_of(reason);
    return bug;
  }
  const char* how = failure.behind == ErrorClass::kError   ? "fails with the error "
                    : failure.behind == ErrorClass::kThrow ? "fails with an uncaught throw: "
                                                           : "exits with reason ";
  bug.message = prefix + "a process " + how + text_of(reason);
  if (failure.behind == ErrorClass::kError) bug.message += failed_call(process.exit_trace);
  if (process.exit_reason == atoms::kNormal) bug.details.push_back("for EUnit, a test that exits has failed");
  return bug;
}

}  // namespace ravel::erlang
