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

}  // namespace

Term PropertyMonitors::function(const char* name) const { return names.atoms.intern(name); }

Status PropertyMonitors::open(std::span<const std::string> texts) {
  CHECK(options.observes && monitors_.empty());
  runner_ = function("ravel_property");
  step_ = function("step");
  function("view");  // exists in every execution
  names_before_ = names.pid_count();
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
  const auto failed = [&](const std::string& problem) {
    return Error{"--property " + text + ": " + problem};
  };
  const Term argument = string(heap, text);
  const PureCalls::Answer answer = machine.pure_calls.call(runner_, function("open"), {&argument, 1});
  if (!answer.problem.empty()) return failed("the monitor cannot begin: " + answer.problem + ".");
  const Term value = answer.value;
  if (element(value, 1) == atoms::kError) return failed(characters(element(value, 2)));
  if (element(value, 1) != atoms::kOk)
    return failed("the monitor cannot begin: it " + text_of_class(names, element(value, 2)) + " " +
                  print_term(names, element(value, 3), kShort) + ".");
  PropertyMonitor monitor{.name = text, .specification = store.intern(element(value, 2))};
  const std::string_view observed = names.atoms.text(element(value, 3));
  if (observed == "names") monitor.observed = Observed::kNames;
  if (observed == "steps") monitor.observed = Observed::kSteps;
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
  const std::array<Term, 3> arguments = {monitor.specification,
                                         monitor.takes_events ? event_ : atoms::kUndefined, slot.head()};
  running_ = number;
  is_running_ = true;
  PureCalls::Answer answer = machine.pure_calls.call(runner_, step_, arguments);
  is_running_ = false;
  if (!answer.problem.empty())
    return {.kind = Verdict::Kind::kFailed,
            .problem = std::move(answer.problem),
            .places = std::move(answer.places)};
  return verdict_of(number, answer.value);
}

// {ok, State}, {violated}, {violated, Reason, Details}, {crashed, Class, Reason, Trace} or {gives, Function,
// Value}.
PropertyMonitors::Verdict PropertyMonitors::verdict_of(std::size_t number, Term answer) {
  const Term tag = element(answer, 1);
  const std::string_view kind = names.atoms.text(tag);
  if (tag == atoms::kOk) {
    const Term state = element(answer, 2);
    const Term slot = element(machine.shared_terms().property_states, number + 1);
    if (slot.head() != state) set_state(number, heap.cons(state, Term::nil()));
    return {};
  }
  if (kind == "violated") {
    set_state(number, Term::nil());
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
