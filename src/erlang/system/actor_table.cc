#include "erlang/system/actor_table.h"

#include "erlang/machine/signals.h"

namespace ravel::erlang {

namespace {

constexpr char kTimerKind = 't', kChannelKind = 'c', kTimeRoot = 'T';

}  // namespace

ActorId ActorTable::new_actor_of(Term who) {
  const auto fresh = static_cast<std::uint32_t>(terms_.size());
  if (who.is_pid()) {
    const auto name = static_cast<std::size_t>(who.pid_name());
    if (name >= actor_of_pid_.size()) actor_of_pid_.resize(name + 16, kNoActor);
    actor_of_pid_[name] = fresh;
  } else {
    const auto [known, is_new] = actor_of_other_.try_emplace(who.bits(), fresh);
    if (!is_new) return static_cast<ActorId>(known->second);
  }
  terms_.push_back(who);
  return static_cast<ActorId>(fresh);
}

ActorName ActorTable::name_of_process(Term pid) const {
  ActorName name(names_.is_below_system(pid) ? 'S' : 'P');
  for (const std::uint32_t ordinal : names_.path_of(pid)) name = name.child(ordinal);
  return name;
}

ActorName ActorTable::name_of(ActorId actor) const {
  const Term who = term_of(actor);
  if (who == kTime) return ActorName(kTimeRoot);
  const ActorName name = name_of_process(who.is_pid() ? who : Names::creator_of(who));
  if (Names::is_channel(who))
    return name.child(static_cast<std::uint32_t>(Names::ordinal_of_channel(who)), kChannelKind);
  if (who.is_pid()) return name;
  return name.child(static_cast<std::uint32_t>(Names::index_of(who)), kTimerKind);
}

std::optional<ActorId> ActorTable::find(const ActorName& name) const {
  for (std::uint32_t i = 0; i < terms_.size(); ++i)
    if (name_of(static_cast<ActorId>(i)) == name) return static_cast<ActorId>(i);
  return std::nullopt;
}

Term ActorTable::pid_of(const ActorName& name) {
  Term pid = name.root() == 'S' ? Names::system_pid() : Names::root_pid();
  for (const ActorName::Child& child : name.path()) pid = names_.child_pid(pid, child.ordinal);
  return pid;
}

std::optional<ActorId> ActorTable::owner_of(std::uint64_t object) {
  const std::uint64_t payload = object & kObjectPayloadMask;
  switch (static_cast<ObjectClass>(object >> 56)) {
    case ObjectClass::kMailbox:
    case ObjectClass::kLife: return actor_of(Term::pid(payload));
    case ObjectClass::kTimer:
    case ObjectClass::kChannel: return actor_of(Term::reference(payload));
    default: return std::nullopt;
  }
}

bool ActorTable::is_before(ActorId first, ActorId second) const {
  const Term a = term_of(first), b = term_of(second);
  const Term left = a.is_pid() ? a : Names::creator_of(a), right = b.is_pid() ? b : Names::creator_of(b);
  if (left == right) {
    if (a.is_pid() || b.is_pid()) return a.is_pid() && !b.is_pid();
    const bool is_channel = Names::is_channel(a);
    if (is_channel != Names::is_channel(b)) return is_channel;
    return Names::index_of(a) < Names::index_of(b);
  }
  const auto is_below = [&](Term pid, Term ancestor) {
    while (pid != ancestor && names_.has_parent(pid)) pid = names_.parent_of(pid);
    return pid == ancestor;
  };
  if (!a.is_pid() && is_below(right, left)) return false;
  if (!b.is_pid() && is_below(left, right)) return true;
  return names_.compare_pids(left, right) < 0;
}

}  // namespace ravel::erlang
