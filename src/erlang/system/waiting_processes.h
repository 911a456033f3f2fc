// Processes that wait when nobody can move: whether that is a deadlock, or the test has left them behind.
//
// A deadlock is that the process which runs the test can't go on, that one waits inside a call for an answer
// that can't come, or that one has messages which it does not take. All other processes are left behind:
// servers in their loops, and processes that wait for a message that nobody owes. A process waits inside a
// call if it has asked somebody since it took its last message (requests.h), unless it is in its loop
// (receive_loops.h), where it takes whatever comes: there it was before without having asked, or it has only
// told who it is before it came there. A process in a receive of kernel or stdlib that is no loop, as in erpc
// and proc_lib, also waits inside a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/bug.h"
#include "engine/remark.h"
#include "erlang/machine/machine.h"
#include "erlang/system/noted_requests.h"
#include "erlang/system/process_roles.h"
#include "erlang/system/program.h"
#include "erlang/system/properties.h"
#include "erlang/system/receive_loops.h"
#include "erlang/system/source_places.h"
#include "erlang/system/texts.h"

namespace ravel::erlang {

class WaitingProcesses {
 public:
  // All must outlive this object.
  struct Parts {
    const Machine& machine;
    Program& program;
    Leftovers leftovers;
    const ProcessRoles& roles;
    NotedRequests& requests;
    const SourcePlaces& places;
    Texts& texts;
  };
  explicit WaitingProcesses(const Parts& parts)
      : machine_(parts.machine),
        program_(parts.program),
        leftovers_(parts.leftovers),
        roles_(parts.roles),
        requests_(parts.requests),
        places_(parts.places),
        texts_(parts.texts) {}

  // Those of the test, without those that only wait for the end of a test's own process: REQUIRES for all of
  // these that nobody can move.
  std::vector<Process*> stuck() const;
  bool is_deadlock(std::span<Process* const> stuck);
  std::vector<Process*> part_of_deadlock(std::span<Process* const> stuck);
  Bug bug_of_deadlock(std::span<Process* const> stuck);
  void note_left_behind(std::span<Process* const> processes);

  // Where a process waits, and what lies in its mailbox.
  std::vector<std::string> lines_of(const Process& process);

  // Of all executions: whom tests have left behind.
  const Remarks& left_behind() const { return left_behind_; }

  // Whether what processes had asked in the whole execution had a part in what was said since the last
  // begin_judging().
  bool is_judged_by_execution() const { return is_judged_by_execution_; }
  void begin_judging() { is_judged_by_execution_ = false; }

 private:
  // How a process waits when nobody can move.
  enum class Wait : std::uint8_t {
    kInCall,        // for the answer to what it has asked,
    kWithMessages,  // with messages that it does not take,
    kOnce,          // for a message, in a receive to which it does not come back,
    kInLoop,        // or in its loop, for whatever comes; or for time to pass
  };
  Wait wait_of(const Process& process);

  const Machine& machine_;
  Program& program_;
  const Leftovers leftovers_;
  const ProcessRoles& roles_;
  NotedRequests& requests_;
  const SourcePlaces& places_;
  Texts& texts_;
  std::optional<ReceiveLoops> receive_loops_;
  bool is_judged_by_execution_ = false;
  Remarks left_behind_;
  std::unordered_map<std::uint64_t, std::size_t> known_left_behind_;  // by what tells them apart
};

}  // namespace ravel::erlang
