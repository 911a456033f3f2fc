// What befalls the processes and messages of a test from outside, as transitions (machine/mishaps.h).
#include <algorithm>

#include "base/check.h"
#include "erlang/system/erlang_system.h"

namespace ravel::erlang {

namespace {

bool is_application_master(const Machine& machine, const Process& process) {
  const Term call = process.attributes.initial_call;
  return is_tuple_of(call, 3) && element(call, 1).is_atom() &&
         machine.names.atoms.text(element(call, 1)) == "application_master";
}

}  // namespace

bool ErlangSystem::may_be_killed(const Process& process) const {
  if (!machine_->mishaps.may_be_killed(process) || roles_.is_test_process(process) ||
      roles_.is_of_system(process))
    return false;
  const std::vector<ProcessPattern>& victims = options_.machine.mishaps.victims;
  if (victims.empty()) return !is_application_master(*machine_, process);
  return std::ranges::any_of(
      victims, [&](const ProcessPattern& pattern) { return pattern.matches(machine_->names, process); });
}

void ErlangSystem::list_channel(const Channel& channel) {
  const ActorId actor = actors_.actor_of(channel.reference);
  enabled_.push_back({.actor = actor, .alternative = 0, .kind = TransitionKind::kOperation});
  if (!Mishaps::may_be_lost(channel.signals.front())) return;
  if (machine_->mishaps.left(Mishaps::Kind::kLoss) > 0)
    enabled_.push_back({.actor = actor, .alternative = kLost, .kind = TransitionKind::kFault});
  if (machine_->mishaps.left(Mishaps::Kind::kDuplication) > 0)
    enabled_.push_back({.actor = actor, .alternative = kArrivesTwice, .kind = TransitionKind::kFault});
}

// What slow processes have sent comes before time passes, but after all else that can happen by itself.
void ErlangSystem::list_slow_channels() {
  if (!is_idle()) return;
  const std::size_t before = enabled_.size();
  for (const Channel& channel : machine_->channels.all())
    if (!channel.signals.empty() && channel.is_slow) list_channel(channel);
  if (enabled_.size() > before) sort_enabled();
}

std::uint32_t ErlangSystem::faults_left(std::uint32_t alternative) {
  return machine_->mishaps.left(alternative == kKilled ? Mishaps::Kind::kKill
                                : alternative == kLost ? Mishaps::Kind::kLoss
                                                       : Mishaps::Kind::kDuplication);
}

void ErlangSystem::strike(Term who, std::uint32_t how) {
  Machine& m = *machine_;
  if (who.is_pid()) {
    Process* const process = m.processes.find(who);
    CHECK(process != nullptr && how == kKilled);
    if (descriptions_ != Descriptions::kOff) prepare_description(*process);
    return m.kill(*process);
  }
  if (descriptions_ != Descriptions::kOff) last_ = {};
  const auto channels = m.channels.all();
  const auto channel = std::ranges::find(channels, who, &Channel::reference);
  CHECK(channel != channels.end());
  const auto index = static_cast<std::size_t>(channel - channels.begin());
  if (how == kLost)
    m.lose_signal(index);
  else
    m.duplicate_signal(index);
}

}  // namespace ravel::erlang
