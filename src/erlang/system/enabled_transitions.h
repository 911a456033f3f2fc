// What can happen next: the transitions of processes, timers and channels, what befalls them from outside
// (machine/mishaps.h), and that time passes.
//
// The idea: processes come in the order of their names already, so their transitions are sorted only where
// there are others as well. Where only one of several is to be looked at, the others are left out at the end
// (application_starts.h, unseen_ends.h).
//
// Cost: a look at each process that may be able to move; no memory once the lists have grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "engine/transition.h"
#include "erlang/machine/machine.h"
#include "erlang/system/actor_table.h"
#include "erlang/system/application_starts.h"
#include "erlang/system/process_roles.h"
#include "erlang/system/unseen_ends.h"

namespace ravel::erlang {

class EnabledTransitions {
 public:
  // Alternatives of TransitionKind::kFault: of a process, beyond its choices; of a channel.
  static constexpr std::uint32_t kKilled = static_cast<std::uint32_t>(kChoicesMax);
  static constexpr std::uint32_t kLost = 1, kArrivesTwice = 2;

  // `unseen_ends_come_first`: with MachineOptions::recurring only. All must outlive this object.
  struct Parts {
    Machine& machine;
    ActorTable& actors;
    const ProcessRoles& roles;
    ApplicationStarts& starts;
    UnseenEnds& unseen_ends;
    bool unseen_ends_come_first;
  };
  explicit EnabledTransitions(const Parts& parts)
      : machine_(parts.machine),
        options_(parts.machine.options),
        actors_(parts.actors),
        roles_(parts.roles),
        starts_(parts.starts),
        unseen_ends_(parts.unseen_ends),
        unseen_ends_come_first_(parts.unseen_ends_come_first) {}

  // Looks at the machine's state.
  void list();
  void clear() { enabled_.clear(); }
  std::span<const Transition> all() const { return enabled_; }

  // For those that the test has left behind time stands still: a server's heartbeat would never end.
  bool can_time_pass() const;
  // Whether somebody that is left when the test has ended waits for a time. REQUIRES: TimePolicy::kIdle, and
  // nobody can go on.
  bool does_somebody_wait_for_time() const;
  // Whether somebody else could go on without time passing.
  bool could_go_on_beside(Term who) const;
  // How many faults of the kind that an alternative is may still happen.
  std::uint32_t faults_left(std::uint32_t alternative) const;

 private:
  void list_process(const Process& process, std::optional<std::int64_t> earliest);
  void list_other_ways(const Process& choosing);
  void list_early(Term who);
  void list_passing(bool is_idle);
  void list_timers_and_channels(std::optional<std::int64_t> earliest);
  void list_channel(const Channel& channel);
  void list_slow_channels();
  void sort();
  bool is_idle() const;
  bool may_be_killed(const Process& process) const;
  void note_timeouts_that_wait();

  Machine& machine_;
  const MachineOptions& options_;
  ActorTable& actors_;
  const ProcessRoles& roles_;
  ApplicationStarts& starts_;
  UnseenEnds& unseen_ends_;
  const bool unseen_ends_come_first_;
  std::vector<Transition> enabled_;
  // With TimePolicy::kIdle: those that wait for something that is not due
  std::vector<const Process*> waiting_for_time_;
  std::unordered_set<std::uint64_t> waits_noted_;  // of these, where somebody could go on, by hash
};

}  // namespace ravel::erlang
