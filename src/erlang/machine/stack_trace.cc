#include "erlang/machine/stack_trace.h"

#include <algorithm>

#include "erlang/machine/frame.h"
#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

constexpr std::size_t kWholeDepth = kBacktraceDepth;

// The module that explains the errors of a module's built-ins, or none.
Term error_module(std::string_view module) {
  for (const std::string_view name : {"erlang", "erts_internal", "atomics", "counters", "persistent_term"})
    if (module == name) return atoms::kErlErtsErrors;
  for (const std::string_view name : {"binary", "ets", "lists", "maps", "math", "re", "unicode"})
    if (module == name) return atoms::kErlStdlibErrors;
  return module == "os" || module == "code" ? atoms::kErlKernelErrors : Term::none();
}

}  // namespace

ErrorClass class_of_raw_trace(Term raw) {
  return is_tuple(raw) && tuple_size(raw) > 0 && element(raw, 1).is_small()
             ? static_cast<ErrorClass>(element(raw, 1).small_value() & ~kOfFunctionClause)
             : ErrorClass::kError;
}

Term trace_with_class(Heap& heap, Term raw_or_list, ErrorClass error_class) {
  const Term mark = Term::small(static_cast<std::int64_t>(error_class));
  if (!is_tuple(raw_or_list) || tuple_size(raw_or_list) < 2) return heap.tuple({mark, raw_or_list});
  if (element(raw_or_list, 1) == mark) return raw_or_list;
  const Word size = tuple_size(raw_or_list);
  Term* copy = heap.allocate(size + 1);
  std::copy_n(raw_or_list.object(), size + 1, copy);
  copy[1] = mark;
  return Term::boxed(copy);
}

Term raised_again(Heap& heap, Term raw_or_list, ErrorClass error_class) {
  const Term raw = trace_with_class(heap, raw_or_list, error_class);
  const bool was_function_clause = is_tuple(raw_or_list) && tuple_size(raw_or_list) >= 2 &&
                                   element(raw_or_list, 1).is_small() &&
                                   (element(raw_or_list, 1).small_value() & kOfFunctionClause) != 0;
  if (!was_function_clause || !is_tuple_of(element(raw, 2), 4)) return raw;
  const Term head = element(raw, 2);
  std::vector<Term> words(raw.object() + 1, raw.object() + 1 + tuple_size(raw));
  words[1] = heap.tuple({element(head, 1), element(head, 2), element(head, 3), Term::nil()});
  return heap.tuple(words);
}

bool has_plain_trace(const Builtin& builtin) {
  return builtin.module == "erlang" &&
         (builtin.name == "error" || (builtin.name == "exit" && builtin.arity == 1) ||
          builtin.name == "throw");
}

std::vector<std::uint32_t> StackTraces::return_addresses(const Process& process, const CodeWord* cp,
                                                         std::size_t count_max,
                                                         std::uint32_t previous) const {
  std::vector<std::uint32_t> addresses;
  const auto add = [&](std::uint32_t address) {
    if (address == previous || addresses.size() >= count_max) return;
    previous = address;
    addresses.push_back(address - 1);  // inside the call, not after it
  };
  const auto add_code = [&](const CodeWord* place) {
    if (place != machine.code.own().underflow && place != machine.code.own().process_end &&
        machine.code.area().contains(place))
      add(machine.code.area().index_of(place));
  };
  if (cp != nullptr) add_code(cp);
  const Term* end = process.stack.data() + process.stack.size();
  for (const Term* frame = process.top; frame < end && addresses.size() < count_max;
       frame += frame_slots(*frame) + 1)
    add_code(frame_caller(*frame));
  // Asleep, the function's own frame is the first of the chain, and says where the function itself goes on.
  const bool is_own_first = process.is_top_frozen && process.has_frozen_frame;
  for (Term frozen = is_own_first ? process.frozen_stack.object()[2] : process.frozen_stack;
       frozen.is_boxed() && addresses.size() < count_max; frozen = frozen.object()[2])
    add_code(machine.code.area().at(static_cast<std::uint32_t>(frozen.object()[1].small_value())));
  return addresses;
}

std::vector<const CodeWord*> StackTraces::places_of(const Process& process) const {
  std::vector<const CodeWord*> places;
  if (process.pc != nullptr && machine.code.area().contains(process.pc)) places.push_back(process.pc);
  for (const std::uint32_t address : return_addresses(process, process.cp, ~std::size_t{0}, 0))
    places.push_back(machine.code.area().at(address));
  return places;
}

Term StackTraces::location_of(const CodePlace& place, Term tail) {
  if (place.line == 0) return tail;
  const Term line = heap.tuple({atoms::kLine, Term::small(place.line)});
  return heap.cons(place.file_term, heap.cons(line, tail));
}

// {Module, Function, ArityOrArguments, Location}, or none for a place in no module.
Term StackTraces::trace_entry(std::uint32_t index, Term arguments, Term extra) {
  const CodePlace place = machine.code.describe_place(machine.code.area().at(index));
  if (place.module == nullptr) return Term::none();
  const Term shown = arguments.is_none() ? Term::small(place.arity) : arguments;
  return heap.tuple({place.module->name, place.function, shown, location_of(place, extra)});
}

Term StackTraces::raw_trace(ErrorClass error_class, Term head, std::span<const std::uint32_t> addresses) {
  Term* object = heap.allocate(addresses.size() + 3);
  object[0] = make_header(Kind::kTuple, addresses.size() + 2);
  object[1] = Term::small(static_cast<std::int64_t>(error_class));
  object[2] = head;
  for (std::size_t i = 0; i < addresses.size(); ++i) object[3 + i] = Term::small(addresses[i]);
  return Term::boxed(object);
}

Term StackTraces::make_trace(const Process& process, const CodeWord* pc, const CodeWord* cp, Term arguments,
                             const Exception& exception) {
  std::uint32_t index = 0;
  std::vector<std::uint32_t> addresses = return_addresses(process, cp, kWholeDepth, 0);
  if (pc != nullptr) {
    index = machine.code.area().index_of(pc);
  } else if (!addresses.empty()) {
    index = addresses.front();
    addresses.erase(addresses.begin());
  }
  if (addresses.size() > kWholeDepth - 1) addresses.resize(kWholeDepth - 1);
  Term head = index == 0 ? Term::nil() : Term::small(index);
  Term extra = Term::nil();
  if (!exception.error_info.is_none())
    extra = heap.cons(heap.tuple({atoms::kErrorInfo, exception.error_info}), Term::nil());
  const bool shows_arguments = is_list(arguments);  // error(Reason, none) shows the arity
  if (index != 0 && (shows_arguments || !extra.is_nil())) {
    const Term entry = trace_entry(index, shows_arguments ? arguments : Term::none(), extra);
    if (!entry.is_none()) head = entry;
  }
  return raw_trace(exception.error_class, head, addresses);
}

Term StackTraces::make_function_clause_trace(const Process& process, const CodeWord* pc, const CodeWord* cp,
                                             Term arguments, const Exception& exception) {
  const Term raw = make_trace(process, pc, cp, arguments, exception);
  raw.object()[1] = Term::small(raw.object()[1].small_value() + kOfFunctionClause);  // `raw` is fresh
  return raw;
}

Term StackTraces::make_builtin_trace(const Process& process, const Builtin& builtin, Term arguments,
                                     const CodeWord* pc, const CodeWord* cp, const Exception& exception) {
  Term extra = Term::nil();
  const Term explains = error_module(builtin.module);
  if (exception.has_error_info && !explains.is_none()) {
    Term info = map_put(heap, names, empty_map(heap), atoms::kModule, explains);
    if (!exception.cause.is_none()) info = map_put(heap, names, info, atoms::kCause, exception.cause);
    extra = heap.cons(heap.tuple({atoms::kErrorInfo, info}), Term::nil());
  }
  const Term head =
      heap.tuple({names.atoms.intern(builtin.module), names.atoms.intern(builtin.name), arguments, extra});
  std::vector<std::uint32_t> addresses = return_addresses(process, cp, kWholeDepth, 0);
  if (pc != nullptr) addresses.insert(addresses.begin(), machine.code.area().index_of(pc));
  if (addresses.size() > kWholeDepth - 1) addresses.resize(kWholeDepth - 1);
  return raw_trace(exception.error_class, head, addresses);
}

Term StackTraces::make_undef_trace(const Process& process, const CodeWord* cp, Term module, Term function,
                                   Term arguments) {
  const Term head = heap.tuple({module, function, arguments, Term::nil()});
  return raw_trace(ErrorClass::kError, head, return_addresses(process, cp, kWholeDepth - 1, 0));
}

Term StackTraces::build_trace(Term raw) {
  if (!is_tuple(raw) || tuple_size(raw) < 2 || !element(raw, 1).is_small()) return raw;
  const Term head = element(raw, 2);
  if (is_list(head) && tuple_size(raw) == 2) return head;
  Term list = Term::nil();
  for (Word i = tuple_size(raw); i >= 3; --i) {
    const Term entry =
        trace_entry(static_cast<std::uint32_t>(element(raw, i).small_value()), Term::none(), Term::nil());
    if (!entry.is_none()) list = heap.cons(entry, list);
  }
  const Term first =
      head.is_small() ? trace_entry(static_cast<std::uint32_t>(head.small_value()), Term::none(), Term::nil())
                      : head;
  return first.is_none() || first.is_nil() ? list : heap.cons(first, list);
}

Term StackTraces::current(const Process& process) {
  std::vector<std::uint32_t> addresses = return_addresses(process, process.cp, kWholeDepth - 1, 0);
  if (machine.code.area().contains(process.pc))
    addresses.insert(addresses.begin(), machine.code.area().index_of(process.pc));
  std::vector<Term> entries;
  for (const std::uint32_t address : addresses)
    if (const Term entry = trace_entry(address, Term::none(), Term::nil()); !entry.is_none())
      entries.push_back(entry);
  return heap.list(entries);
}

Term StackTraces::catch_value(Term error_class, Term reason, Term raw) {
  if (error_class == atoms::kThrow) return reason;
  if (error_class == atoms::kError) reason = heap.tuple({reason, build_trace(raw)});
  return heap.tuple({atoms::kExitMessage, reason});
}

}  // namespace ravel::erlang
