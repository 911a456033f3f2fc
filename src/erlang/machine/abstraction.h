// A function of the user's that says what of a state counts: a search by states takes states for one of which
// it makes the same term.
//
// What it gets is the state as a map (lib/ravel_property.erl calls it):
//   processes   Pid => #{status => running | waiting | ended, name => Name | undefined,
//                        function => {Module, Function, Arity}, stack => [{{Module, Function, Arity},
//                        [Term]}], arguments => [Term], dictionary => #{Key => Value}, mailbox => [Message],
//                        links => [Pid], monitors => [Pid or {Name, Node}]}
//   names       Name => Pid
//   tables      Name or identifier => [Row]
// A stack begins with the innermost function; the terms are what each keeps for later. `arguments` are those
// of the operation that the process is about to carry out.
//
// Cost: for each state a term of all of it, and a call (pure_calls.h).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "erlang/machine/code.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class Abstraction final : public MachinePart {
 public:
  explicit Abstraction(Machine& its_machine) : MachinePart(its_machine) {}

  // MODULE:FUNCTION; empty: there is none. REQUIRES: the test has not begun.
  Status open(const std::string& text);
  bool is_open() const { return !module_.is_none(); }

  struct Answer {
    Term value = Term::none();                 // stored
    std::string problem = {};                  // if there is none: what the function does
    Term trace = Term::nil();                  // where, if it is an exception; young, as long as nothing runs
    std::vector<const CodeWord*> places = {};  // where otherwise, the innermost first
  };
  // What the function makes of the present state. REQUIRES: no fault, and that all is stored.
  Answer look();

 private:
  Term state();
  Term process(const Process& process);
  Term stack_of(const Process& process);
  Term function_at(const CodeWord* place);

  Term module_ = Term::none(), function_ = Term::none();
};

}  // namespace ravel::erlang
