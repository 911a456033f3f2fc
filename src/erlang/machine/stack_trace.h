// Stack traces: where an exception was raised, as OTP shows it.
//
// An exception carries a raw trace, cheap to make: a tuple {Class, Head, Address...}. Head is the code index
// of the function that failed, or its finished entry {Module, Function, ArityOrArguments, Location}, or a
// list that is the whole trace already (erlang:raise/3). Class is a number; kOfFunctionClause is added to it
// if Head shows the arguments that no clause of a function accepts. Addresses are return addresses, as code
// indices. The readable list is made when a program asks for it (build_stacktrace, or the value of a catch).
//
// As in OTP: at most eight entries, the first included; equal return addresses in a row count once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "erlang/machine/builtin.h"
#include "erlang/machine/code.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/module.h"
#include "erlang/machine/process.h"
#include "erlang/term/heap.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

inline constexpr std::size_t kBacktraceDepth = 8;

inline constexpr std::int64_t kOfFunctionClause = 4;

ErrorClass class_of_raw_trace(Term raw);
// What erlang:raise/3 makes of the trace of a caught exception. As in OTP, the place of a function without a
// fitting clause is lost then.
Term raised_again(Heap& heap, Term raw_or_list, ErrorClass error_class);
// The raw trace with another class; a list becomes a raw trace.
Term trace_with_class(Heap& heap, Term raw_or_list, ErrorClass error_class);
// Whether the trace of what this built-in raises begins with its caller.
bool has_plain_trace(const Builtin& builtin);

class StackTraces final : public MachinePart {
 public:
  explicit StackTraces(Machine& its_machine) : MachinePart(its_machine) {}

  // Where a resting process is: the pending operation, then its callers, innermost first.
  std::vector<const CodeWord*> places_of(const Process& process) const;
  // Where a process is, as process_info tells: a list of {Module, Function, Arity, Location}.
  Term current(const Process& process);
  // `cp`: of the caller, if the function has no frame; at most `count_max`, and none like `previous` first.
  std::vector<std::uint32_t> return_addresses(const Process& process, const CodeWord* cp,
                                              std::size_t count_max, std::uint32_t previous) const;

  // Raw traces, of what is raised at `pc` (null: in the caller's place).
  Term make_trace(const Process& process, const CodeWord* pc, const CodeWord* cp, Term arguments,
                  const Exception& exception);
  Term make_function_clause_trace(const Process& process, const CodeWord* pc, const CodeWord* cp,
                                  Term arguments, const Exception& exception);
  Term make_builtin_trace(const Process& process, const Builtin& builtin, Term arguments, const CodeWord* pc,
                          const CodeWord* cp, const Exception& exception);
  Term make_undef_trace(const Process& process, const CodeWord* cp, Term module, Term function,
                        Term arguments);
  // The readable list of a raw trace.
  Term build_trace(Term raw);
  // What a `catch` makes of an exception.
  Term catch_value(Term error_class, Term reason, Term raw);

 private:
  Term location_of(const CodePlace& place, Term tail);
  Term trace_entry(std::uint32_t index, Term arguments, Term extra);
  Term raw_trace(ErrorClass error_class, Term head, std::span<const std::uint32_t> addresses);
};

}  // namespace ravel::erlang
