// Built-in functions: how one is written, and what a row of their table says.
//
// A built-in takes its arguments from an array and returns a term, or fails: `return call.badarg();` notes
// the exception and returns `Term::none()`. It may allocate in the nursery as much as it needs: no collection
// happens inside a built-in, so terms in local variables stay valid. It must not keep anything between
// calls, and must not change an argument.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

#include "erlang/term/atoms.h"
#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class Machine;
class PatternCache;
class Process;
class Store;

// What a built-in touches besides its arguments. Everything but kPure and kLocal is an operation: the actor
// waits before it, and others may run first.
enum class Effect : std::uint8_t {
  kPure,       // a function of its arguments
  kLocal,      // only the calling process can notice: its dictionary, its depth of backtraces, ...
  kOperation,  // other processes can notice, or it depends on them: a scheduling point
  kClock,      // reads a clock: pure while clocks stand still, else an operation (the machine decides)
  kChoice,     // an operation that the search decides on: one of 1 to the number that it is called with
  kShown,      // shows something of the process: local unless something observes it (the machine decides)
  kRefused,    // no schedule can control it; calling it ends the search with a message
};

constexpr bool is_operation(Effect effect) {
  return effect == Effect::kOperation || effect == Effect::kChoice;
}

enum class ErrorClass : std::uint8_t { kError, kExit, kThrow };

// An exception on its way, from a built-in to the machine.
struct Exception {
  ErrorClass error_class = ErrorClass::kError;
  Term reason;
  Term arguments;                  // error/2: the list to show instead of the arity; none otherwise
  Term stack_trace;                // raise/3: the trace to use as it is; none otherwise
  Term cause;                      // extra `cause` of error_info; none otherwise
  bool has_error_info = false;     // the top frame gets [{error_info, #{...}}]
  Term error_info = Term::none();  // error/3: the map of error_info, given by the program; none otherwise
};

// A function of a module that does a built-in's work: the machine calls it in the place of the built-in, with
// the same return address.
struct Replacement {
  Term module;
  Term function;
  std::array<Term, 4> arguments;
  std::uint32_t arity = 0;  // 0: there is none
};

// One call of a built-in: what it may use.
class Call {
 public:
  Call(Machine& its_machine, Heap& its_heap, Names& its_names, Process* process)
      : heap(its_heap), names(its_names), machine(its_machine), process_(process) {}

  Heap& heap;
  Names& names;
  Machine& machine;

  // The calling process. REQUIRES: not in a guard of a match specification.
  Process& self() { return *process_; }
  void set_self(Process* process) { process_ = process; }

  Term atom(std::string_view text) { return names.atoms.make(text); }

  // Functions that note an exception and return none. badarg and the like carry error_info, as the emulator's
  // do.
  Term badarg() { return fail(atoms::kBadarg); }
  Term badarith() { return fail(atoms::kBadarith); }
  Term system_limit() { return fail(atoms::kSystemLimit); }
  // error({badkey, Key}), error({badmap, Map}).
  Term badkey(Term key) { return fail(heap.tuple({atoms::kBadkey, key})); }
  Term badmap(Term map) { return fail(heap.tuple({atoms::kBadmap, map})); }
  // An error of the built-in itself, with error_info.
  Term fail(Term reason, Term cause = Term::none()) {
    exception = {.error_class = ErrorClass::kError,
                 .reason = reason,
                 .arguments = Term::none(),
                 .stack_trace = Term::none(),
                 .cause = cause,
                 .has_error_info = true};
    return Term::none();
  }
  // What error/1, exit/1 and throw/1 do: no error_info.
  Term raise(ErrorClass error_class, Term reason) {
    exception = {.error_class = error_class,
                 .reason = reason,
                 .arguments = Term::none(),
                 .stack_trace = Term::none(),
                 .cause = Term::none(),
                 .has_error_info = false};
    return Term::none();
  }

  // Not an error, though it returns none: the call goes on as module:function(arguments...). The machine
  // looks at `replacement` first, and clears it. (The rare cases of unicode and re are written in Erlang.)
  Term call_instead(Term module, Term function, std::initializer_list<Term> arguments) {
    replacement = {.module = module, .function = function, .arguments = {}, .arity = 0};
    for (const Term argument : arguments) replacement.arguments[replacement.arity++] = argument;
    return Term::none();
  }

  Exception exception;
  Replacement replacement;
  // Compiled regular expressions; makes re faster and changes nothing else
  std::shared_ptr<PatternCache> patterns;

 private:
  Process* process_;
};

using BuiltinFunction = Term (*)(Call& call, const Term* arguments);

struct Builtin {
  std::string_view module;
  std::string_view name;
  std::uint32_t arity;
  Effect effect;
  BuiltinFunction function;

  struct Key {
    std::string_view module, name;
    std::uint32_t arity;
    auto operator<=>(const Key&) const = default;
  };
  constexpr Key key() const { return {module, name, arity}; }
};

}  // namespace ravel::erlang
