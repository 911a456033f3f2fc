// Who moves in the executions of a test, by number: processes, timers and channels, and time itself.
//
// A number is given when somebody is met first, and means the same in all executions (engine/system.h). Names
// are made of it only when somebody asks for them.
//
// Cost: a look into an array for a process, a hash table for others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/actor.h"
#include "erlang/term/atoms.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class ActorTable {
 public:
  // Who lets time pass.
  static constexpr Term kTime = atoms::kTime;

  explicit ActorTable(Names& names) : names_(names) {}

  // Of a pid, the reference of a timer or channel, or kTime.
  ActorId actor_of(Term who) {
    const bool may_be_known = who.is_pid() && static_cast<std::size_t>(who.pid_name()) < actor_of_pid_.size();
    const std::uint32_t known =
        may_be_known ? actor_of_pid_[static_cast<std::size_t>(who.pid_name())] : kNoActor;
    return known != kNoActor ? static_cast<ActorId>(known) : new_actor_of(who);
  }
  Term term_of(ActorId actor) const { return terms_[static_cast<std::uint32_t>(actor)]; }

  ActorName name_of_process(Term pid) const;
  ActorName name_of(ActorId actor) const;
  // Nothing if no actor of this name was ever met.
  std::optional<ActorId> find(const ActorName& name) const;
  // The process of this name, which gets a pid if it had none.
  Term pid_of(const ActorName& name);

  // Whose mailbox, life, timer or channel an object of a footprint is.
  std::optional<ActorId> owner_of(std::uint64_t object);

  // In the order of their names. A channel, and then a timer, comes after all that its creator's descendants
  // are (ActorName's order).
  bool is_before(ActorId a, ActorId b) const;

 private:
  static constexpr std::uint32_t kNoActor = ~std::uint32_t{0};

  ActorId new_actor_of(Term who);  // or one of a timer or channel that is known

  Names& names_;
  std::vector<Term> terms_;                                          // by id
  std::vector<std::uint32_t> actor_of_pid_;                          // by pid name; kNoActor: none yet
  std::unordered_map<std::uint64_t, std::uint32_t> actor_of_other_;  // by the bits of a reference or kTime
};

}  // namespace ravel::erlang
