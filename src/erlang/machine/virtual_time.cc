// In footprints the time is one object. Setting and cancelling a deadline commute with each other, and so do
// firings at the present instant; what moves time on to a later one is ordered with all of them, because what
// is due first and what a new deadline counts from depend on it. With TimePolicy::kAny time never moves, so
// nothing touches it; with kIdle it passes by a step of its own, which is known to come after all before it
// and before all later ones, so that nothing else touches it either.
#include "erlang/machine/virtual_time.h"

#include <algorithm>

#include "base/check.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

// The emulator's own end of time is at some 2^43 ms; clocks stop after 222 years so that nanoseconds fit 64
// bits.
constexpr std::int64_t kEndOfTimeMs = 9'223'372'036'854, kClocksEndMs = 7'000'000'000'000;
constexpr std::int64_t kNsPerMs = 1'000'000;

}  // namespace

std::int64_t VirtualTime::deadline_in(std::int64_t milliseconds) {
  record.note_deadline_change();
  return std::min(kEndOfTimeMs, now_ms_ + std::max<std::int64_t>(0, milliseconds));
}

std::int64_t VirtualTime::time_left(const Timer& timer) {
  record.note_deadline_change();
  return std::max<std::int64_t>(0, timer.due_ms - now_ms_);
}

std::optional<std::int64_t> VirtualTime::earliest_deadline() const {
  std::optional<std::int64_t> earliest;
  const auto consider = [&](std::int64_t due_ms) {
    if (!earliest || due_ms < *earliest) earliest = due_ms;
  };
  for (const Process* process : machine.processes.all())
    if (process->rest == Rest::kTimeout) consider(process->due_ms);
  for (const Timer& timer : timers_)
    if (!timer.never_fires && !(options.time == TimePolicy::kIdle && is_aimed_at_nobody(timer)))
      consider(timer.due_ms);
  return earliest;
}

// A timer may outlive the process that it is aimed at (MachineOptions::notes_messages).
bool VirtualTime::is_aimed_at_nobody(const Timer& timer) const {
  return timer.target.is_pid() && timer.target != names.device_pid() &&
         machine.processes.find(timer.target) == nullptr;
}

void VirtualTime::pass(std::int64_t due_ms) {
  CHECK(options.time == TimePolicy::kIdle && due_ms > now_ms_);
  record.clear();
  record.event.kind = OperationKind::kTimePasses;
  record.event.value = Term::small(due_ms - now_ms_);
  record.note_plain_access(ObjectClass::kTime, 0, access::kPass);
  if (is_known()) {
    now_ms_ = due_ms;
  } else {
    bring_nearer(due_ms - now_ms_);
  }
  // Nothing that was there before can tell any more that there was such a timer.
  std::erase_if(timers_, [&](const Timer& timer) { return is_aimed_at_nobody(timer); });
  note_shared_change();
}

// By as much as the time that passes. What is overdue is due.
void VirtualTime::bring_nearer(std::int64_t milliseconds) {
  const auto nearer = [&](std::int64_t due_ms) { return std::max(now_ms_, due_ms - milliseconds); };
  for (Process* process : machine.processes.all()) {
    if (process->timeout.is_none() || process->due_ms <= now_ms_) continue;
    process->touch();
    process->due_ms = nearer(process->due_ms);
  }
  for (Timer& timer : timers_)
    if (!timer.never_fires) timer.due_ms = nearer(timer.due_ms);
}

void VirtualTime::advance(std::int64_t due_ms) {
  if (options.time == TimePolicy::kAny) return;
  if (is_shared())
    record.note_access(ObjectClass::kTime, 0, due_ms > now_ms_ ? access::kWrite : access::kRead);
  if (due_ms <= now_ms_) return;
  if (is_known()) {
    now_ms_ = due_ms;
  } else {
    bring_nearer(due_ms - now_ms_);
  }
  note_shared_change();
}

std::int64_t VirtualTime::clock_ns() {
  if (options.clocks == Clocks::kFrozen) return 0;
  if (is_shared()) record.note_access(ObjectClass::kTime, 0, access::kRead);
  if (!is_known_ && !machine.is_starting_system()) {
    is_known_ = true;
    note_shared_change();
  }
  return std::min(kClocksEndMs, now_ms_) * kNsPerMs;
}

// Where time passes only when nobody can go on, it is the same for all that a step does.
Effect VirtualTime::effect_of_clocks(const MachineOptions& options) {
  if (options.clocks == Clocks::kFrozen) return Effect::kPure;
  return is_shared_with(options) ? Effect::kOperation : Effect::kLocal;
}

// ---- Timers

void VirtualTime::add_timer(const Timer& timer) {
  timers_.push_back(timer);
  note_shared_change();
}

const Timer* VirtualTime::find_timer(Term reference) const {
  const auto place = std::ranges::find(timers_, reference, &Timer::reference);
  return place == timers_.end() ? nullptr : &*place;
}

bool VirtualTime::remove_timer(Term reference) {
  record.note_plain_access(ObjectClass::kTimer, reference.reference_payload(), access::kWrite);
  record.note_deadline_change();
  const auto place = std::ranges::find(timers_, reference, &Timer::reference);
  if (place == timers_.end()) return false;
  timers_.erase(place);
  note_shared_change();
  return true;
}

void VirtualTime::expire_timer(std::size_t index) {
  const Timer timer = timers_[index];
  advance(timer.due_ms);
  remove_timer(timer.reference);
  Term receiver = timer.target;
  if (receiver.is_atom()) {
    record.note_access(ObjectClass::kName, static_cast<std::uint64_t>(receiver.atom_id()), access::kRead);
    receiver = machine.registry.whereis(receiver);
  }
  const Term message = timer.form == TimerMessage::kPlain
                           ? timer.content
                           : heap.tuple({atoms::kTimeout, timer.reference, timer.content});
  record.event.kind = OperationKind::kTimerFires;
  record.event.actor = record.event.subject = timer.reference;
  record.event.object = receiver;
  record.event.value = message;
  if (!receiver.is_none()) machine.signals.deliver(receiver, message, timer.reference);
}

void VirtualTime::end_timers_of(Term pid) {
  if (timers_.empty()) return;
  const auto gone = std::erase_if(timers_, [&](const Timer& timer) {
    if (timer.target != pid) return false;
    record.note_access(ObjectClass::kTimer, timer.reference.reference_payload(), access::kWrite);
    record.note_deadline_change();
    return true;
  });
  if (gone > 0) note_shared_change();
}

// Nothing depends on the order in which they were set, so it must not make two states of one.
Term VirtualTime::freeze_timers(std::vector<Term>& scratch) {
  std::ranges::sort(timers_, [&](const Timer& a, const Timer& b) {
    return names.compare_references(a.reference, b.reference) < 0;
  });
  scratch.clear();
  for (Timer& timer : timers_) {
    timer.target = store.intern(timer.target);
    timer.content = store.intern(timer.content);
    scratch.insert(scratch.end(), {timer.reference, timer.target, timer.content, timer.creator,
                                   Term::small(static_cast<std::int64_t>(timer.form)),
                                   Term::small(timer.due_ms), atoms::boolean(timer.never_fires)});
  }
  return store.intern_object(Kind::kTuple, scratch);
}

void VirtualTime::thaw(Term timers, Term now) {
  timers_.clear();
  for (Word i = 1; i <= tuple_size(timers); i += 7) {
    const Term* w = timers.object() + i;
    timers_.push_back({.reference = w[0],
                       .target = w[1],
                       .content = w[2],
                       .creator = w[3],
                       .form = static_cast<TimerMessage>(w[4].small_value()),
                       .due_ms = w[5].small_value(),
                       .never_fires = w[6] == atoms::kTrue});
  }
  const std::int64_t number = now.small_value();
  is_known_ = number >= 0;
  now_ms_ = is_known_ ? number : -1 - number;
}

void VirtualTime::for_each_term(Roots::Visit visit, void* collector) {
  for (Timer& timer : timers_) {
    visit(collector, &timer.target, 1);
    visit(collector, &timer.content, 1);
  }
}

}  // namespace ravel::erlang
