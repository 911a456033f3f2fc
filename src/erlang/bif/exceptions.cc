// Built-ins that raise exceptions.
#include <algorithm>
#include <array>

#include "erlang/bif/builtins.h"
#include "erlang/bif/native_code.h"
#include "erlang/machine/machine.h"
#include "erlang/term/header.h"

namespace ravel::erlang {

namespace {

// What erlang:system_flag(backtrace_depth, D) is when nobody sets it.
constexpr std::size_t kBacktraceDepth = 8;

Term error_1(Call& call, const Term* arguments) { return call.raise(ErrorClass::kError, arguments[0]); }

Term error_2(Call& call, const Term* arguments) {
  call.raise(ErrorClass::kError, arguments[0]);
  call.exception.arguments = arguments[1];
  return Term::none();
}

// The last error_info counts; options that are not all of this form are ignored together.
Term error_3(Call& call, const Term* arguments) {
  error_2(call, arguments);
  Term error_info = Term::none();
  Term list = arguments[2];
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    if (!is_tuple_of(option, 2) || element(option, 1) != atoms::kErrorInfo || !is_map(element(option, 2)))
      return Term::none();
    error_info = element(option, 2);
  }
  if (list.is_nil()) call.exception.error_info = error_info;
  return Term::none();
}

Term exit_1(Call& call, const Term* arguments) { return call.raise(ErrorClass::kExit, arguments[0]); }

Term throw_1(Call& call, const Term* arguments) { return call.raise(ErrorClass::kThrow, arguments[0]); }

// An entry of a stack trace in the form {M, F, A, Location} or {Fun, Args, Location}; none if it is neither
// that nor one of the older forms without a location.
Term complete_entry(Heap& heap, Term entry) {
  if (!is_tuple(entry)) return Term::none();
  const Word size = tuple_size(entry);
  const bool begins_with_fun = size >= 2 && is_fun(element(entry, 1));
  const bool begins_with_names = size >= 3 && element(entry, 1).is_atom() && element(entry, 2).is_atom();
  if (size == 2 && begins_with_fun) return heap.tuple({element(entry, 1), element(entry, 2), Term::nil()});
  if (size == 3 && begins_with_names && !begins_with_fun)
    return heap.tuple({element(entry, 1), element(entry, 2), element(entry, 3), Term::nil()});
  const bool is_complete = (size == 3 && begins_with_fun) || (size == 4 && begins_with_names);
  return is_complete && is_list(element(entry, size)) ? entry : Term::none();
}

// A malformed class or stack trace is not an error: the answer is then the atom badarg.
Term raise_3(Call& call, const Term* arguments) {
  ErrorClass error_class;
  if (arguments[0] == atoms::kError) {
    error_class = ErrorClass::kError;
  } else if (arguments[0] == atoms::kExit) {
    error_class = ErrorClass::kExit;
  } else if (arguments[0] == atoms::kThrow) {
    error_class = ErrorClass::kThrow;
  } else {
    return atoms::kBadarg;
  }
  Term trace[kBacktraceDepth];
  std::size_t depth = 0;
  bool is_changed = false;
  Term list = arguments[2];
  for (; list.is_cons(); list = list.tail()) {
    const Term entry = complete_entry(call.heap, list.head());
    if (entry.is_none()) return atoms::kBadarg;
    is_changed |= entry != list.head();
    if (depth < kBacktraceDepth) {
      trace[depth++] = entry;
    } else {
      is_changed = true;
    }
  }
  if (!list.is_nil()) return atoms::kBadarg;
  call.raise(error_class, arguments[1]);
  call.exception.stack_trace =
      is_changed ? call.heap.list(std::span<const Term>(trace, depth)) : arguments[2];
  return Term::none();
}

// Only a function whose native code is missing raises this error; here all of it is.
Term nif_error(Call& call, const Term*) {
  call.machine.faults.refuse(std::string(kNeedsNativeCode));
  return Term::none();
}

constexpr auto kExceptionBuiltins = std::to_array<Builtin>({
    {"erlang", "error", 1, Effect::kPure, error_1},
    {"erlang", "error", 2, Effect::kPure, error_2},
    {"erlang", "error", 3, Effect::kPure, error_3},
    {"erlang", "exit", 1, Effect::kPure, exit_1},
    {"erlang", "nif_error", 1, Effect::kRefused, nif_error},
    {"erlang", "nif_error", 2, Effect::kRefused, nif_error},
    {"erlang", "raise", 3, Effect::kPure, raise_3},
    {"erlang", "throw", 1, Effect::kPure, throw_1},
});
static_assert(std::ranges::is_sorted(kExceptionBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> exception_builtins() { return kExceptionBuiltins; }

}  // namespace ravel::erlang
