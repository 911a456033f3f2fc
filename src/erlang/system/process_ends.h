// Which ends of processes are bugs: those that are abnormal, not planned, and that nobody handles.
//
// Abnormal ends are no bugs where somebody expects them (Properties::crashes).
//
// An uncaught error is a bug wherever it happens. A process that an exit signal ends, whether another process
// sent that on purpose or was linked with it, is handled: what counts is how the first of them ended. A
// process that exits by itself is handled if somebody hears of it: a monitor's 'DOWN' message, or an exit
// signal that a process which traps exits gets, be it by way of others that are linked and do not; and if
// such a process was linked with it and has ended before; or whoever starts it, where a behaviour's init/1
// ends. If it reaches a process that runs the test, which does not trap exits, that is no handling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/remark.h"
#include "engine/transition.h"
#include "erlang/machine/machine.h"
#include "erlang/system/exit_bugs.h"
#include "erlang/system/noted_failures.h"
#include "erlang/system/process_roles.h"
#include "erlang/system/properties.h"
#include "erlang/system/texts.h"

namespace ravel::erlang {

class ProcessEnds {
 public:
  // All must outlive this object. `failures`: after one, an end may well be a consequence, and is not told.
  ProcessEnds(const Machine& machine, const Properties& properties, const ProcessRoles& roles,
              ExitBugs& exit_bugs, const Texts& texts, const NotedFailures& failures)
      : machine_(machine),
        properties_(properties),
        roles_(roles),
        exit_bugs_(exit_bugs),
        texts_(texts),
        failures_(failures) {}

  // REQUIRES for both: kEnding.
  // For the process that runs a test: whether the test has failed.
  bool ends_badly(const Process& process) const;
  // Notes what else decides about it, and an end that is no bug because somebody handles it.
  bool ends_as_bug(const Process& process);

  // What the verdict has looked at since they were forgotten, as a part of the footprint of the end.
  std::span<const Touch> touches() const { return touches_; }
  void forget_touches() { touches_.clear(); }

  // Of all executions: the ends that somebody has handled.
  const Remarks& handled() const { return handled_; }
  std::uint32_t handled_in_execution() const { return handled_in_execution_; }
  void go_back_to(std::uint32_t handled_in_execution) { handled_in_execution_ = handled_in_execution; }

 private:
  bool is_normal(Term reason) const;
  bool is_ended_by_runner(const Process& process) const;
  bool ends_as_planned(const Process& process) const;
  bool answers_by_its_exit(const Process& process) const;
  // Whether somebody handles an abnormal end that is no uncaught error. REQUIRES: not of the test's own
  // process.
  bool is_handled(const Process& process);
  bool is_heard_of(const Process& process);
  bool is_uncaught_error(const Process& process) const;
  void note_handled_end(const Process& process);

  const Machine& machine_;
  const Properties& properties_;
  const ProcessRoles& roles_;
  ExitBugs& exit_bugs_;
  const Texts& texts_;
  const NotedFailures& failures_;
  std::vector<Touch> touches_;
  std::uint32_t handled_in_execution_ = 0;
  Remarks handled_;
  std::unordered_map<std::uint64_t, std::size_t> known_handled_;  // by what tells them apart
};

}  // namespace ravel::erlang
