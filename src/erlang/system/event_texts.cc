#include "erlang/system/event_texts.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/check.h"
#include "erlang/system/elixir_failure.h"
#include "erlang/system/named_failure.h"

namespace ravel::erlang {

std::string EventTexts::text_of(const EventRecord& event) const {
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
            event.subject.is_pid() ? machine_.names.pid_text(event.subject) : texts_.text_of(event.subject);
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
                                   std::string(machine_.names.atoms.text(event.object)) + "(";
      const auto arity = static_cast<std::size_t>(event.value.small_value());
      for (std::size_t i = 0; i < std::min(arity, kRecordedArguments); ++i)
        text += (i == 0 ? "" : ", ") + texts_.text_of(event.arguments[i]);
      return text + (arity > kRecordedArguments ? ", ...)" : ")") + ", whose code may change";
    }
    case OperationKind::kBuiltin: return text_of_builtin(event);
  }
  CHECK(false);
}

std::string EventTexts::text_of_builtin(const EventRecord& event) const {
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
  if (!raised && builtin.module == "ravel_code")
    if (std::string loading = text_of_loading(event); !loading.empty()) return loading;
  if (!raised && name == "own_leader") return "asks for its group leader -> " + texts_.name_of(event.result);
  if (!raised && name == "is_watched_device") return "asks who is " + texts_.text_of(arguments[0]);
  if (!raised && name == "register")
    return "registers " +
           (arguments[1].is_pid() ? machine_.names.pid_text(arguments[1]) : texts_.text_of(arguments[1])) +
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
  const MachineFault::Kind fault = machine_.faults.current().kind;
  const bool has_no_result =
      fault == MachineFault::Kind::kHalted || fault == MachineFault::Kind::kUnsupported;
  if (raised && has_no_result) return text;
  return raised ? text + ", which raises " + texts_.text_of(event.reason)
                : text + " -> " + texts_.text_of(event.result);
}

std::string EventTexts::text_of_loading(const EventRecord& event) const {
  const std::string_view name = event.builtin->name;
  const Term* arguments = event.arguments;
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
  return {};
}

std::string EventTexts::text_of_end(Term reason) const {
  reason = without_trace(reason);
  if (texts_.language() == Language::kElixir)
    if (const auto raised = elixir_failure(machine_.names, reason)) return "raises " + *raised;
  const NamedFailure failure = named_failure(machine_.names, reason, ErrorClass::kThrow);
  if (failure.name.empty()) return "exits with reason " + texts_.text_of(reason);
  return "fails: " + failure.name + ", " + texts_.text_of(failure.reason);
}

}  // namespace ravel::erlang
