#include "erlang/machine/abstraction.h"

#include <array>
#include <span>

#include "erlang/machine/machine.h"
#include "erlang/machine/property_monitors.h"
#include "erlang/term/map.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

namespace {

constexpr PrintOptions kShort{.depth_max = 12, .elements_max = 30, .bytes_max = 400};

// A slot of a frame that holds nothing that a program could see.
bool is_hidden(Term slot) { return slot.is_none() || slot.is_catch() || is_kind(slot, Kind::kMatchContext); }

}  // namespace

Status Abstraction::open(const std::string& text) {
  module_ = function_ = Term::none();
  if (text.empty()) return Success{};
  // Names that exist in every execution.
  for (const char* const name : {"processes", "names", "tables", "status", "name", "function", "stack",
                                 "arguments", "dictionary", "mailbox", "links", "monitors", "ended"})
    names.atoms.intern(name);
  const Result<Term> answer = property_text_call(machine, "open_abstraction", text);
  if (!answer) return Error{"--abstraction " + text + ": " + answer.error().message};
  module_ = element(*answer, 2);
  function_ = element(*answer, 3);
  return Success{};
}

Term Abstraction::function_at(const CodeWord* place) {
  const CodePlace found = place == nullptr ? CodePlace{} : machine.code.describe_place(place);
  if (found.module == nullptr) return atoms::kUndefined;
  return heap.tuple({found.module->name, found.function, Term::small(found.arity)});
}

Term Abstraction::stack_of(const Process& process) {
  std::vector<Term> entries;
  const auto add = [&](const CodeWord* place, std::span<const Term> slots) {
    std::vector<Term> terms;
    for (const Term slot : slots)
      if (!is_hidden(slot)) terms.push_back(slot);
    entries.push_back(heap.tuple({function_at(place), heap.list(terms)}));
  };
  if (process.pc != nullptr && !process.has_frozen_frame) add(process.pc, {});
  for (Term frame = process.frozen_stack; is_kind(frame, Kind::kFrame); frame = frame.object()[2]) {
    const auto place = static_cast<std::uint32_t>(frame.object()[1].small_value());
    add(machine.code.area().at(place),
        {frame.object() + 3, static_cast<std::size_t>(size_of(frame.header()) - 2)});
  }
  return heap.list(entries);
}

Term Abstraction::process(const Process& process) {
  const bool waits = process.rest == Rest::kWaiting || process.rest == Rest::kTimeout;
  const bool has_ended = process.rest == Rest::kEnding || process.rest == Rest::kEnded;
  const Term ended = names.atoms.intern("ended");
  const Term name = process.attributes.registered_name;
  std::vector<Term> mailbox, monitors, arguments;
  for (const Message& message : process.mailbox) mailbox.push_back(message.content);
  for (const Monitor& monitor : process.attributes.monitors) monitors.push_back(monitor.object);
  for (const Term argument : process.arguments)
    if (!is_hidden(argument)) arguments.push_back(argument);
  const auto atom = [this](const char* text) { return names.atoms.intern(text); };
  const Term pairs[] = {atom("status"),     has_ended ? ended : waits ? atoms::kWaiting : atoms::kRunning,
                        atom("name"),       name.is_none() ? atoms::kUndefined : name,
                        atom("function"),   has_ended ? atoms::kUndefined : function_at(process.pc),
                        atom("stack"),      has_ended ? Term::nil() : stack_of(process),
                        atom("arguments"),  heap.list(arguments),
                        atom("dictionary"), process.attributes.dictionary,
                        atom("mailbox"),    heap.list(mailbox),
                        atom("links"),      heap.list(process.attributes.links),
                        atom("monitors"),   heap.list(monitors)};
  return map_from_pairs(heap, names, pairs);
}

Term Abstraction::state() {
  std::vector<Term> processes, registered, tables;
  for (const Process* const one : machine.processes.all())
    if (machine.property_monitors.is_of_program(one->pid))
      processes.insert(processes.end(), {one->pid, process(*one)});
  for (const auto& [name, pid] : machine.registry.entries())
    if (pid.is_pid() && machine.property_monitors.is_of_program(pid))
      registered.insert(registered.end(), {name, pid});
  for (const auto& table : machine.tables.all()) {
    if (!machine.property_monitors.is_of_program(Names::creator_of(table->id))) continue;
    std::vector<Term> rows;
    for (const RowGroup& group : TableRows(heap, names, *table).all())
      group.for_each([&](Term row) { rows.push_back(row); });
    tables.insert(tables.end(), {table->handle(), heap.list(rows)});
  }
  const auto atom = [this](const char* text) { return names.atoms.intern(text); };
  const Term pairs[] = {atom("processes"), map_from_pairs(heap, names, processes),
                        atom("names"),     map_from_pairs(heap, names, registered),
                        atom("tables"),    map_from_pairs(heap, names, tables)};
  return map_from_pairs(heap, names, pairs);
}

Abstraction::Answer Abstraction::look() {
  const OpaqueNames::Pause pause(machine.opaque_names);
  const std::array<Term, 3> arguments = {module_, function_, state()};
  PureCalls::Answer answer = machine.pure_calls.call(names.atoms.intern("ravel_property"),
                                                     names.atoms.intern("abstract"), arguments);
  if (!answer.problem.empty())
    return {.problem = std::move(answer.problem), .places = std::move(answer.places)};
  if (element(answer.value, 1) == atoms::kOk) return {.value = store.intern(element(answer.value, 2))};
  const Term error_class = element(answer.value, 2);
  return {.problem =
              (error_class == atoms::kThrow ? std::string("it throws")
                                            : "it raises the " + std::string(names.atoms.text(error_class))) +
              " " + print_term(names, element(answer.value, 3), kShort),
          .trace = element(answer.value, 4)};
}

}  // namespace ravel::erlang
