// What it means that the machine could not complete a step: that the program does what no schedule controls,
// has halted, or has used up what a step may have.
//
// The place in the user's own code is told, and the function that was called there.
#pragma once

#include <string>
#include <vector>

#include "engine/bug.h"
#include "engine/system.h"
#include "engine/transition.h"
#include "erlang/machine/machine.h"
#include "erlang/system/execution_verdict.h"
#include "erlang/system/noted_failures.h"
#include "erlang/system/program.h"
#include "erlang/system/properties.h"
#include "erlang/system/source_places.h"
#include "erlang/system/texts.h"

namespace ravel::erlang {

class FaultVerdicts {
 public:
  // All must outlive this object.
  struct Parts {
    const Machine& machine;
    Program& program;
    const Properties& properties;
    const NotedFailures& failures;
    const SourcePlaces& places;
    const Texts& texts;
  };
  explicit FaultVerdicts(const Parts& parts)
      : machine_(parts.machine),
        program_(parts.program),
        properties_(parts.properties),
        failures_(parts.failures),
        places_(parts.places),
        texts_(parts.texts) {}

  // REQUIRES: Machine::faults has one.
  ExecutionVerdict of_current() const;

 private:
  // Where it has happened.
  struct Place {
    const Process* process = nullptr;  // null: it is gone
    std::vector<const CodeWord*> all;
    // Of these, the innermost of the user's own code, and else that of a library that is not Erlang/OTP's;
    // the end: there is none.
    std::vector<const CodeWord*>::const_iterator users, known;
    EventDescription where;
  };
  Place place_of(const MachineFault& fault) const;
  std::string called_at(const Place& at) const;
  Refusal refusal_of(const MachineFault& fault, const Place& at) const;
  std::string started_with(const Process& process) const;

  const Machine& machine_;
  Program& program_;
  const Properties& properties_;
  const NotedFailures& failures_;
  const SourcePlaces& places_;
  const Texts& texts_;
};

}  // namespace ravel::erlang
