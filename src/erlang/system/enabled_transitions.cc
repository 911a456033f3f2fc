#include "erlang/system/enabled_transitions.h"

#include <algorithm>

#include "base/hash.h"

namespace ravel::erlang {

namespace {

constexpr std::size_t kWaitsNoted = 100'000;

bool is_application_master(const Machine& machine, const Process& process) {
  const Term call = process.attributes.initial_call;
  return is_tuple_of(call, 3) && element(call, 1).is_atom() &&
         machine.names.atoms.text(element(call, 1)) == "application_master";
}

}  // namespace

void EnabledTransitions::list() {
  enabled_.clear();
  waiting_for_time_.clear();
  std::optional<std::int64_t> earliest;
  if (options_.time == TimePolicy::kDeadlines) earliest = machine_.time.earliest_deadline();
  const bool may_kill = machine_.mishaps.left(Mishaps::Kind::kKill) > 0;
  for (const Process* process : machine_.active_processes()) {
    list_process(*process, earliest);
    if (may_kill && may_be_killed(*process))
      enabled_.push_back(
          {.actor = actors_.actor_of(process->pid), .alternative = kKilled, .kind = TransitionKind::kFault});
  }
  if (!machine_.time.timers().empty() || !machine_.channels.all().empty()) list_timers_and_channels(earliest);
  if (!options_.mishaps.slow.empty()) list_slow_channels();
  const bool is_idle = this->is_idle();
  if (!waiting_for_time_.empty() && !is_idle) note_timeouts_that_wait();
  if (is_idle || options_.fires_early) list_passing(is_idle);
  if (starts_.is_going_on()) starts_.keep_to_one_order(enabled_);
  if (unseen_ends_come_first_ && unseen_ends_.may_come_first()) unseen_ends_.keep_to_one(enabled_);
}

// What it does by itself, or early.
void EnabledTransitions::list_process(const Process& process, std::optional<std::int64_t> earliest) {
  if (process.rest == Rest::kTimeout && !machine_.time.may_fire(process.due_ms, earliest)) {
    // A timetrap of Common Test is never early, and nobody needs to be told that it waits.
    if (roles_.framework().is_common_test && roles_.is_in_runner(process)) return;
    if (options_.fires_early)
      list_early(process.pid);
    else if (options_.time == TimePolicy::kIdle)
      waiting_for_time_.push_back(&process);
    return;
  }
  if (process.rest == Rest::kWaiting) {
    if (options_.blocking == Blocking::kExplore && !process.has_noticed_block)
      enabled_.push_back(
          {.actor = actors_.actor_of(process.pid), .alternative = 0, .kind = TransitionKind::kBlocks});
    return;
  }
  enabled_.push_back(
      {.actor = actors_.actor_of(process.pid), .alternative = 0, .kind = TransitionKind::kOperation});
  if (process.rest == Rest::kChoosing) [[unlikely]]
    list_other_ways(process);
}

// Of a choice whose first way is listed.
void EnabledTransitions::list_other_ways(const Process& choosing) {
  for (std::uint32_t way = 1; way < choosing.choices(); ++way)
    enabled_.push_back(
        {.actor = actors_.actor_of(choosing.pid), .alternative = way, .kind = TransitionKind::kOperation});
}

// Before it is due.
void EnabledTransitions::list_early(Term who) {
  if (machine_.mishaps.may_fire_early())
    enabled_.push_back({.actor = actors_.actor_of(who), .alternative = 1, .kind = TransitionKind::kEarly});
}

bool EnabledTransitions::is_idle() const {
  return std::ranges::none_of(enabled_, [](const Transition& one) { return happens_by_itself(one.kind); });
}

// For those that the test has left behind time stands still: a server's heartbeat would never end.
bool EnabledTransitions::can_time_pass() const {
  return options_.time == TimePolicy::kIdle && !roles_.has_test_ended() &&
         machine_.time.earliest_deadline().has_value();
}

// Where nobody can go on, time may pass. If something may still befall the program, it may also be that
// nothing does, for ever.
void EnabledTransitions::list_passing(bool is_idle) {
  if (is_idle || roles_.has_test_ended())
    std::erase_if(enabled_, [](const Transition& one) { return one.kind == TransitionKind::kEarly; });
  if (!is_idle || (enabled_.empty() && !can_time_pass())) return;
  enabled_.push_back(
      {.actor = actors_.actor_of(ActorTable::kTime), .alternative = 0, .kind = TransitionKind::kPasses});
}

void EnabledTransitions::list_timers_and_channels(std::optional<std::int64_t> earliest) {
  for (const Channel& channel : machine_.channels.all())
    if (!channel.signals.empty() && !channel.is_slow) list_channel(channel);
  for (const Timer& timer : machine_.time.timers()) {
    if (timer.never_fires) continue;
    if (!machine_.time.may_fire(timer.due_ms, earliest)) {
      if (options_.fires_early) list_early(timer.reference);
      continue;
    }
    enabled_.push_back(
        {.actor = actors_.actor_of(timer.reference), .alternative = 0, .kind = TransitionKind::kOperation});
  }
  sort();
}

void EnabledTransitions::sort() {
  std::ranges::sort(enabled_, [this](const Transition& a, const Transition& b) {
    if (a.actor == b.actor) return a.alternative < b.alternative;
    return actors_.is_before(a.actor, b.actor);
  });
}

bool EnabledTransitions::may_be_killed(const Process& process) const {
  if (!machine_.mishaps.may_be_killed(process) || roles_.is_test_process(process) ||
      roles_.is_of_system(process))
    return false;
  const std::vector<ProcessPattern>& victims = options_.mishaps.victims;
  if (victims.empty()) return !is_application_master(machine_, process);
  return std::ranges::any_of(
      victims, [&](const ProcessPattern& pattern) { return pattern.matches(machine_.names, process); });
}

void EnabledTransitions::list_channel(const Channel& channel) {
  const ActorId actor = actors_.actor_of(channel.reference);
  enabled_.push_back({.actor = actor, .alternative = 0, .kind = TransitionKind::kOperation});
  if (!Mishaps::may_be_lost(channel.signals.front())) return;
  if (machine_.mishaps.left(Mishaps::Kind::kLoss) > 0)
    enabled_.push_back({.actor = actor, .alternative = kLost, .kind = TransitionKind::kFault});
  if (machine_.mishaps.left(Mishaps::Kind::kDuplication) > 0)
    enabled_.push_back({.actor = actor, .alternative = kArrivesTwice, .kind = TransitionKind::kFault});
}

// What slow processes have sent comes before time passes, but after all else that can happen by itself.
void EnabledTransitions::list_slow_channels() {
  if (!is_idle()) return;
  const std::size_t before = enabled_.size();
  for (const Channel& channel : machine_.channels.all())
    if (!channel.signals.empty() && channel.is_slow) list_channel(channel);
  if (enabled_.size() > before) sort();
}

std::uint32_t EnabledTransitions::faults_left(std::uint32_t alternative) const {
  return machine_.mishaps.left(alternative == kKilled ? Mishaps::Kind::kKill
                               : alternative == kLost ? Mishaps::Kind::kLoss
                                                      : Mishaps::Kind::kDuplication);
}

// Notes each wait once, however often it is met: most executions have the same waits.
void EnabledTransitions::note_timeouts_that_wait() {
  for (const Process* const process : waiting_for_time_) {
    const CodeWord* const place = process->receive_pc != nullptr ? process->receive_pc : process->pc;
    const std::uint64_t wait =
        combine(combine(process->pid.bits(), static_cast<std::uint64_t>(process->due_ms)),
                reinterpret_cast<std::uintptr_t>(place));
    if (waits_noted_.size() >= kWaitsNoted || !waits_noted_.insert(wait).second) continue;
    if (!roles_.is_of_system(*process))
      machine_.faults.assumptions().add(Assumed::kTimeoutsWait, machine_.traces.places_of(*process));
  }
}

// Of those that are left when the test has ended. REQUIRES: TimePolicy::kIdle, and nobody can go on.
bool EnabledTransitions::does_somebody_wait_for_time() const {
  const auto waits = [this](const Process* process) {
    return process->rest == Rest::kTimeout && !roles_.is_of_system(*process);
  };
  return std::ranges::any_of(machine_.active_processes(), waits) ||
         std::ranges::any_of(machine_.time.timers(), [](const Timer& timer) { return !timer.never_fires; });
}

// Whether somebody else could go on without time passing.
bool EnabledTransitions::could_go_on_beside(Term who) const {
  return std::ranges::any_of(enabled_, [&](const Transition& one) {
    const Term other = actors_.term_of(one.actor);
    if (other == who || one.kind != TransitionKind::kOperation) return false;
    if (!other.is_pid()) return Names::is_channel(other);
    const Process* const process = machine_.processes.find_even_ended(other);
    return process == nullptr || process->rest != Rest::kTimeout || process->timeout == Term::small(0);
  });
}

}  // namespace ravel::erlang
