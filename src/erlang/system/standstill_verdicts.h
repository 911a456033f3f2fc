// What it means that nobody can move: the test is over, or its processes wait for ever.
//
// The idea: what the test has left behind may wait until the end, as servers do, and so may the system's own
// processes. Who waits in vain is said by waiting_processes.h.
#pragma once

#include "erlang/machine/machine.h"
#include "erlang/system/enabled_transitions.h"
#include "erlang/system/execution_verdict.h"
#include "erlang/system/noted_failures.h"
#include "erlang/system/noted_requests.h"
#include "erlang/system/process_roles.h"
#include "erlang/system/properties.h"
#include "erlang/system/waiting_processes.h"

namespace ravel::erlang {

class StandstillVerdicts {
 public:
  // All must outlive this object.
  struct Parts {
    const Machine& machine;
    const Properties& properties;
    const ProcessRoles& roles;
    const NotedFailures& failures;
    const NotedRequests& requests;
    const EnabledTransitions& enabled;
    WaitingProcesses& waiting;
  };
  explicit StandstillVerdicts(const Parts& parts)
      : machine_(parts.machine),
        properties_(parts.properties),
        roles_(parts.roles),
        failures_(parts.failures),
        requests_(parts.requests),
        enabled_(parts.enabled),
        waiting_(parts.waiting) {}

  // Notes whom the test has left behind. REQUIRES: no transition is enabled, and the machine has no fault.
  ExecutionVerdict of_current();
  // Whether the last verdict depends on how the execution came to its last state, and part of that is not
  // known.
  bool is_judged_by_execution() const {
    return waiting_.is_judged_by_execution() && !requests_.is_execution_known();
  }

 private:
  // Whether nobody is left of whom the test's verdict depends: then those who wait are no deadlock.
  bool is_test_over() const;

  const Machine& machine_;
  const Properties& properties_;
  const ProcessRoles& roles_;
  const NotedFailures& failures_;
  const NotedRequests& requests_;
  const EnabledTransitions& enabled_;
  WaitingProcesses& waiting_;
};

}  // namespace ravel::erlang
