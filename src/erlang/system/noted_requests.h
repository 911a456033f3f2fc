// What processes have asked, noted step by step in a log (requests.h), and as a part of the state: for a
// search by states, whose verdicts on who waits at the end (waiting_processes.h) would else be those of the
// first way that led to a state.
//
// The idea: it is kept only of processes for which it matters. So a search begins without it, and notes who
// asks and who is judged by that; if some process is both, the search has to begin again with these. In the
// words of a state, the image of such a process is one together with what it has asked.
//
// A process that can go on only by taking a message needs not know whom the last one named: what it sends
// next is compared with the next one. So the states of a server are not multiplied by its clients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/actor.h"
#include "erlang/machine/machine.h"
#include "erlang/system/actor_table.h"
#include "erlang/system/process_roles.h"
#include "erlang/system/requests.h"
#include "erlang/system/visited_states.h"

namespace ravel::erlang {

class NotedRequests {
 public:
  // `in_state`: with MachineOptions::recurring, of whom what they have asked is part of the state. All must
  // outlive this object.
  NotedRequests(Machine& machine, ActorTable& actors, const ProcessRoles& roles,
                const std::vector<ActorName>& in_state)
      : machine_(machine),
        actors_(actors),
        roles_(roles),
        in_state_(in_state),
        are_interchangeable_(!machine.options.symmetric.empty()) {}

  // Once, before the test starts. REQUIRES: MachineOptions::recurring.
  void choose_in_state();

  // ---- The log
  void begin_execution() {
    log_.go_back_to(0);
    is_execution_known_ = true;
  }
  // To an earlier point of this execution, after so many events.
  void go_back_to(std::uint32_t events) { log_.go_back_to(events); }
  // After a step, which was event number `event_number`, from 0, of this execution. `receive`: in which `who`
  // was before; null: in none.
  void note(std::uint32_t event_number, Term who, const CodeWord* receive);

  // As of Requests.
  std::vector<const CodeWord*> unanswered(Term pid) const { return log_.unanswered(pid); }
  bool was_free_in(Term pid, const CodeWord* receive) const { return log_.was_free_in(pid, receive); }
  // Whether all of this execution is in the log. Else it is what is part of the state that came before.
  bool is_execution_known() const { return is_execution_known_; }

  // ---- As a part of the state
  bool are_in_state() const { return !in_state_.empty(); }  // of anybody
  // REQUIRES for these two: `words` are of Freezer::save().
  // From then on it is known only of the processes of whom it is part of the state.
  void add_to_state(std::vector<Term>& words, VisitedStates& visited);
  void take_from_state(std::vector<Term>& words, const VisitedStates& visited);

  // What the process has asked decides about an end of an execution.
  void note_judged(Term pid) { found_of(pid).matter = true; }
  // Processes besides those of the options that asked something in some execution, and were judged by that at
  // the end of some execution. If there are some when all states were visited, what was said of ends holds
  // for the first ways that led there, and the search has to begin again with these.
  std::vector<ActorName> that_matter() const;
  // Who asked and who was judged in executions so far, for a System that goes on with the same search.
  struct Known {
    std::vector<ActorName> asked = {}, judged = {};
  };
  Known known() const;
  void note_known(const Known& known);

 private:
  struct Found {
    bool exist = false;  // in some execution
    bool matter = false;
    bool are_in_state = false;
  };
  Found& found_of(Term pid) {
    const auto name = static_cast<std::size_t>(pid.pid_name());
    if (name >= found_.size()) found_.resize(name + 16);
    return found_[name];
  }
  bool is_in_state(Term pid);
  Term store_asked(const Asked& asked);
  Asked asked_of(Term stored) const;

  Machine& machine_;
  ActorTable& actors_;
  const ProcessRoles& roles_;
  const std::vector<ActorName>& in_state_;
  const bool are_interchangeable_;  // MachineOptions::symmetric
  Requests log_;
  bool is_execution_known_ = true;
  std::vector<Found> found_;  // by pid name; with MachineOptions::recurring
};

}  // namespace ravel::erlang
