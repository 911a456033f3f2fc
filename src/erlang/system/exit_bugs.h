// The bug that the end of a process is: its message, its place, the stack.
//
// Bugs of one cause are one bug (engine/bug.h). So nothing that differs between schedules stands in the
// message: arguments and lines are details.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/bug.h"
#include "erlang/machine/machine.h"
#include "erlang/system/program.h"
#include "erlang/system/texts.h"

namespace ravel::erlang {

class ExitBugs {
 public:
  // All must outlive this object.
  ExitBugs(const Machine& machine, Program& program, Texts& texts)
      : machine_(machine), program_(program), texts_(texts) {}

  // Told in the language of the user's own code in the stack, else of the process. REQUIRES: kEnding.
  Bug bug_of_exit(const Process& process);
  // Adds the places of an exception's trace to the details of a bug, and the innermost one of the user's code
  // as its own place, unless it has one.
  void add_places_of_trace(Bug& bug, Term exit_trace) const;

 private:
  void choose_language(const Process& process);
  bool add_exunit_assertion(Bug& bug, Term reason) const;
  bool add_eunit_assertion(Bug& bug, const std::string& prefix, Term reason) const;
  std::string failed_call(Term trace) const;
  // The one that an undefined function should have been in, if it is nowhere.
  std::optional<std::string> missing_module(Term reason, Term trace) const;

  const Machine& machine_;
  Program& program_;
  Texts& texts_;
};

}  // namespace ravel::erlang
