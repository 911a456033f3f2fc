// What processes show of themselves, for properties: probes, which have a value until another one takes its
// place or the process ends, and labels, which are events.
//
// Nobody else can see them, so they are local code, and do nothing, unless something observes them
// (MachineOptions::observes). Then each is an operation, and all of them touch one object: reduction tries
// every order of them, because a property may tell any two orders apart.
#pragma once

#include "erlang/machine/machine_part.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class Probes final : public MachinePart {
 public:
  explicit Probes(Machine& its_machine) : MachinePart(its_machine) {}

  // `undefined` takes the probe away.
  void set(Term pid, Term name, Term value);
  void pass_label(Term name);
  // The process has ended.
  void forget_those_of(Term pid);

 private:
  void note_change();
};

}  // namespace ravel::erlang
