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

#include "erlang/machine/builtin.h"
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

}  // namespace ravel::erlang
