#include "erlang/machine/property_monitors.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "erlang/machine/event_term.h"
#include "erlang/machine/machine.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

namespace {

constexpr PrintOptions kShort{.depth_max = 12, .elements_max = 30, .bytes_max = 400};

std::string characters(Term list) {
  std::string text;
  for (; list.is_cons() && list.head().is_small(); list = list.tail())
    text += static_cast<char>(list.head().small_value());
  return text;
}

Term string(Heap& heap, const std::string& text) {
  std::vector<Term> bytes;
  for (const char byte : text) bytes.push_back(Term::small(static_cast<unsigned char>(byte)));
  return heap.list(bytes);
}

// How the name of the class reads in a sentence.
std::string text_of_class(const Names& names, Term error_class) {
  return error_class == atoms::kThrow ? "throws" : "raises the " + std::string(names.atoms.text(error_class));
}

constexpr const char kRunner[] = "ravel_property";

}  // namespace

Observed observed_named(std::string_view text) {
  if (text == "names") return Observed::kNames;
  return text == "steps" ? Observed::kSteps : Observed::kShown;
}

Result<Term> property_text_call(Machine& machine, const char* function, const std::string& text,
                                const char* runner, const char* what) {
  Names& names = machine.names;
  names.atoms.intern("view");  // exists in every execution
  const Term argument = string(machine.heap, text);
  const PureCalls::Answer answer =
      machine.pure_calls.call(names.atoms.intern(runner), names.atoms.intern(function), {&argument, 1});
  const std::string cannot_begin = std::string(what) + " cannot begin: ";
  if (!answer.problem.empty()) return Error{cannot_begin + answer.problem + "."};
  const Term value = answer.value;
  if (element(value, 1) == atoms::kError) return Error{characters(element(value, 2))};
  if (element(value, 1) != atoms::kOk)
    return Error{cannot_begin + "it " + text_of_class(names, element(value, 2)) + " " +
                 print_term(names, element(value, 3), kShort) + "."};
  return value;
}

Status PropertyMonitors::open(std::span<const std::string> texts) {
  CHECK(options.observes && monitors_.empty());
  note_beginning();
  observed_ = Observed::kShown;
  std::vector<Term> states;
  for (const std::string& text : texts)
    if (Status added = add(text, states); !added) {
      close();
      return added;
    }
  machine.change_shared_terms().property_states = heap.tuple(states);
  return Success{};
}

void PropertyMonitors::close() {
  monitors_.clear();
  observed_ = Observed::kShown;
}

// {ok, Specification, Observed, TakesEvents, State} or {error, Text}. What is kept is stored, as more is
// called.
Status PropertyMonitors::add(const std::string& text, std::vector<Term>& states) {
  const Result<Term> answer = property_text_call(machine, "open", text);
  if (!answer) return Error{"--property " + text + ": " + answer.error().message};
  const Term value = *answer;
  PropertyMonitor monitor{.name = text, .specification = store.intern(element(value, 2))};
  monitor.observed = observed_named(names.atoms.text(element(value, 3)));
  monitor.takes_events = element(value, 4) == atoms::kTrue;
  observed_ = std::max(observed_, monitor.observed);
  machine.code.literals().push_back(monitor.specification);
  const Term state = store.intern(element(value, 5));
  machine.code.literals().push_back(state);
  states.push_back(heap.cons(state, Term::nil()));
  for (Term& slot : states) slot = store.intern(slot);
  machine.code.literals().insert(machine.code.literals().end(), states.begin(), states.end());
  monitors_.push_back(std::move(monitor));
  return Success{};
}

bool PropertyMonitors::concerns(const PropertyMonitor& monitor) const {
  return monitor.observed == Observed::kSteps || record.shows ||
         (monitor.observed == Observed::kNames && record.names);
}

// A slot is [State], or [] of a property that is violated.
void PropertyMonitors::set_state(std::size_t monitor, Term slot) {
  Term& states = machine.change_shared_terms().property_states;
  std::vector<Term> slots(states.object() + 1, states.object() + 1 + tuple_size(states));
  slots[monitor] = slot;
  states = heap.tuple(slots);
}

PropertyMonitors::Verdict PropertyMonitors::look(std::size_t number) {
  const PropertyMonitor& monitor = monitors_[number];
  if (!concerns(monitor)) return {};
  const Term slot = element(machine.shared_terms().property_states, number + 1);
  if (slot.is_nil()) return {};
  if (monitor.takes_events && event_.is_none()) event_ = event_term(machine);
  PureCalls::Answer answer = run(monitor.specification, monitor.takes_events ? event_ : atoms::kUndefined,
                                 slot.head(), monitor.observed);
  if (!answer.problem.empty())
    return {.kind = Verdict::Kind::kFailed,
            .problem = std::move(answer.problem),
            .places = std::move(answer.places)};
  Verdict verdict = verdict_of(answer.value);
  if (verdict.kind == Verdict::Kind::kViolated) set_state(number, Term::nil());
  if (verdict.kind != Verdict::Kind::kHolds) return verdict;
  const Term state = element(answer.value, 2);
  if (element(machine.shared_terms().property_states, number + 1).head() != state)
    set_state(number, heap.cons(state, Term::nil()));
  return verdict;
}

PropertyMonitors::Verdict PropertyMonitors::ask(Term function, Observed observed) {
  PureCalls::Answer answer = run(function, atoms::kUndefined, names.atoms.intern("none"), observed);
  if (!answer.problem.empty())
    return {.kind = Verdict::Kind::kFailed,
            .problem = std::move(answer.problem),
            .places = std::move(answer.places)};
  return verdict_of(answer.value);
}

PureCalls::Answer PropertyMonitors::run(Term specification, Term event, Term state, Observed observed) {
  const std::array<Term, 3> arguments = {specification, event, state};
  observed_by_running_ = observed;
  is_running_ = true;
  PureCalls::Answer answer =
      machine.pure_calls.call(names.atoms.intern(kRunner), names.atoms.intern("step"), arguments);
  is_running_ = false;
  return answer;
}

// {ok, State}, {violated}, {violated, Reason, Details}, {crashed, Class, Reason, Trace} or {gives, Function,
// Value}.
PropertyMonitors::Verdict PropertyMonitors::verdict_of(Term answer) const {
  const Term tag = element(answer, 1);
  const std::string_view kind = names.atoms.text(tag);
  if (tag == atoms::kOk) return {};
  if (kind == "violated") {
    Verdict verdict{.kind = Verdict::Kind::kViolated};
    if (tuple_size(answer) == 3) {
      verdict.reason = element(answer, 2);
      verdict.details = element(answer, 3);
    }
    return verdict;
  }
  if (kind == "crashed")
    return {.kind = Verdict::Kind::kFailed,
            .problem = "it " + text_of_class(names, element(answer, 2)) + " " +
                       print_term(names, element(answer, 3), kShort),
            .trace = element(answer, 4)};
  return {.kind = Verdict::Kind::kFailed,
          .problem = "its " + characters(element(answer, 2)) + " gives " +
                     print_term(names, element(answer, 3), kShort) + ", which is no answer"};
}

}  // namespace ravel::erlang
