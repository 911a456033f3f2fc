#include "threads/runtime/threads_system.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "base/check.h"
#include "engine/explorer_loop.h"
#include "threads/runtime/segment_races.h"
#include "threads/runtime/watched_memory.h"

namespace ravel::threads {

void ThreadsSystem::reset() {
  schedule_.clear();
  is_stuck_ = false;
  looks_again_ = scheduler_.configuration().spurious || scheduler_.configuration().follows_deadlines ||
                 scheduler_.configuration().fires_early;
  looks_for_circles_ = scheduler_.configuration().by_states && !is_numbered_;
  scheduler_.begin_execution();
  list_enabled();
}

void ThreadsSystem::replay(std::span<const Transition> schedule) {
  is_stuck_ = false;
  scheduler_.begin_execution();
  for (const Transition& transition : schedule) take(transition);
  replayed_ += schedule.size();
  if (schedule.data() != schedule_.data()) schedule_.assign(schedule.begin(), schedule.end());
  list_enabled();
}

void ThreadsSystem::run_again() {
  while (scheduler_.loops().heads().take_new()) {
    scheduler_.begin_execution();
    for (const Transition& transition : schedule_) {
      list_enabled();
      CHECK_MESSAGE(std::ranges::count(enabled(), transition) == 1, kNondeterminism);
      take(transition);
    }
  }
}

namespace {

// An operation that may be one of a loop in which a thread waits.
bool may_look(OperationKind kind) {
  switch (kind) {
    case OperationKind::kRead:
    case OperationKind::kWrite:
    case OperationKind::kAtomicLoad:
    case OperationKind::kAtomicStore:
    case OperationKind::kAtomicUpdate:
    case OperationKind::kYield:
    case OperationKind::kLock:
    case OperationKind::kTryLock:
    case OperationKind::kTimedLock:
    case OperationKind::kUnlock:
    case OperationKind::kReadLock:
    case OperationKind::kTryReadLock:
    case OperationKind::kTimedReadLock:
    case OperationKind::kWriteLock:
    case OperationKind::kTryWriteLock:
    case OperationKind::kTimedWriteLock:
    case OperationKind::kUnlockShared:
    case OperationKind::kSpinLock:
    case OperationKind::kTrySpinLock:
    case OperationKind::kSpinUnlock:
    case OperationKind::kSemaphoreTry:
    case OperationKind::kSemaphoreTimedWait:
    case OperationKind::kSleep:
    case OperationKind::kLibraryRead: return true;
    default: return false;
  }
}

// More states than these are not looked at, nor more steps taken: threads that go round in circles have few.
constexpr std::size_t kCirclesMax = 1000;
constexpr std::uint64_t kStepsInCirclesMax = 50'000;

}  // namespace

bool ThreadsSystem::may_be_look(const Transition& transition) const {
  if (transition.kind == TransitionKind::kPasses) return !scheduler_.deadlines().do_dates_matter();
  return transition.kind == TransitionKind::kOperation &&
         may_look(scheduler_.threads().of(transition.actor)->pending.kind);
}

// Takes the step if it may be a look; whether the memory that its operation is about is as before, and the
// execution goes on.
bool ThreadsSystem::does_step_look(const Transition& transition) {
  if (!may_be_look(transition)) return false;
  static const Operation kNothing;
  const Thread* const thread = scheduler_.threads().of(transition.actor);
  const Operation& operation = thread == nullptr ? kNothing : thread->pending;
  if (thread != nullptr && operation.address != 0) {
    std::vector<WaitingLoop::Read>& looks = looks_[thread->actor];
    if (std::ranges::find(looks, operation.address, &WaitingLoop::Read::address) == looks.end())
      looks.push_back({.address = operation.address, .size = operation.size, .kind = operation.kind});
  }
  const bool is_memory = operation.kind == OperationKind::kWrite ||
                         operation.kind == OperationKind::kAtomicStore ||
                         operation.kind == OperationKind::kAtomicUpdate;
  const std::uint64_t address = operation.address;
  const std::uint32_t size = std::min<std::uint32_t>(operation.size, kAccessMax);
  std::array<std::byte, kAccessMax> before{};
  if (is_memory) std::memcpy(before.data(), reinterpret_cast<const void*>(address), size);
  if (Thread* const mover = scheduler_.threads().of(transition.actor)) mover->has_read_clock = false;
  schedule_.push_back(transition);
  take(transition);
  reads_clock_ = reads_clock_ || (thread != nullptr && thread->has_read_clock);
  if (scheduler_.discoveries().count() != noted_) [[unlikely]]
    note_schedule();
  list_enabled();
  return outcome() == Outcome::kRunning &&
         (!is_memory || std::memcmp(before.data(), reinterpret_cast<const void*>(address), size) == 0);
}

// Looks at all states that can be reached from here, where it leaves the program. `passes`: time may pass
// wherever somebody waits for that.
bool ThreadsSystem::goes_on_by_looks(bool passes) {
  const std::vector<Transition> here = schedule_;
  const Hash128 data = state_.hash_of_data();
  struct Place {
    std::vector<Transition> steps, enabled;
  };
  const auto list_all = [&] {
    const bool is_listed = enabled_count_ > 0 && enabled_[0].kind == TransitionKind::kPasses;
    if (passes && !is_listed) list_passing();
    return std::vector<Transition>(enabled().begin(), enabled().end());
  };
  looks_.clear();
  reads_clock_ = false;
  const std::uint64_t replayed_max = replayed_ + kStepsInCirclesMax;
  std::vector<Place> open = {{.steps = {}, .enabled = list_all()}};
  std::set<Hash128> seen = {state_.hash()};
  bool is_there = true;  // the program is at the place that is looked at
  while (!open.empty()) {
    const Place place = std::move(open.back());
    open.pop_back();
    for (const Transition& transition : place.enabled) {
      if (!is_there) {
        std::vector<Transition> way = here;
        way.insert(way.end(), place.steps.begin(), place.steps.end());
        replay(way);
      }
      is_there = false;
      if (!does_step_look(transition) || seen.size() > kCirclesMax || replayed_ > replayed_max ||
          enabled_count_ == 0 || state_.hash_of_data() != data) {
        replay(here);
        return false;
      }
      if (!seen.insert(state_.hash()).second) continue;
      Place next{.steps = place.steps, .enabled = list_all()};
      next.steps.push_back(transition);
      open.push_back(std::move(next));
    }
    is_there = false;
  }
  replay(here);
  return true;
}

void ThreadsSystem::look_at_segments(std::size_t threads_before) {
  const std::vector<Thread*>& threads = scheduler_.threads().by_name();
  for (Thread* const thread : threads) sort_segment(thread->segment);
  const auto has_grown = [&](const Thread* thread) {
    return thread == scheduler_.threads().moved_last() || thread->number >= threads_before;
  };
  // Two of which neither has grown were looked at before, in an earlier step.
  bool any = false;
  for (std::size_t i = 0; i < threads.size() && !any; ++i)
    for (std::size_t j = i + 1; j < threads.size() && !any; ++j)
      any = (has_grown(threads[i]) || has_grown(threads[j])) &&
            do_conflict(threads[i]->segment, threads[j]->segment);
  if (!any) return;
  scheduler_.races().set_collecting(false);
  replay(schedule_);
  if (scheduler_.discoveries().count() != noted_) note_schedule();
  scheduler_.races().set_collecting(true);
  if (outcome() == Outcome::kRunning) replay(schedule_);
}

// In an execution that is described: what the runtime leaves on stacks then would tell states apart.
void ThreadsSystem::look_for_circles_aside() {
  if (outcome() != Outcome::kRunning || !std::ranges::all_of(enabled(), [this](const Transition& transition) {
        return may_be_look(transition);
      }))
    return;
  StepRecording& recording = scheduler_.recording();
  const bool is_recorded = recording.is_on(), was_early = recording.record().is_early;
  recording.turn(false);
  scheduler_.races().set_collecting(true);
  replay(schedule_);
  const std::size_t enabled_before = enabled_count_;
  look_for_circles();
  const bool is_stuck = is_stuck_, may_pass = enabled_count_ > enabled_before;
  scheduler_.races().set_collecting(false);
  recording.turn(is_recorded);
  replay(schedule_);
  recording.record().is_early = was_early;
  if (may_pass) list_passing_as_well();
  if (is_stuck) end_in_circles();
}

void ThreadsSystem::look_for_circles() {
  if (outcome() != Outcome::kRunning) return;
  for (const Transition& transition : enabled())
    if (!may_be_look(transition)) return;
  if (!goes_on_by_looks(false)) return;
  // Who looks at the clock waits for time to pass, too.
  const bool is_passing = enabled_[0].kind == TransitionKind::kPasses;
  const bool may_pass = scheduler_.configuration().passes_when_idle && !is_passing &&
                        (reads_clock_ || scheduler_.deadlines().next_deadline().has_value());
  if (may_pass && (scheduler_.deadlines().do_dates_matter() || !goes_on_by_looks(true)))
    return list_passing_as_well();
  end_in_circles();
}

void ThreadsSystem::end_in_circles() {
  for (auto& [actor, looks] : looks_) {
    Thread* const thread = scheduler_.threads().of(actor);
    if (thread->state != ThreadState::kWaiting) continue;
    thread->loop.reads = looks;
    thread->loop.waits = true;
  }
  enabled_count_ = 0;
  end_stuck();
}

// Notes the schedule with what this step has shown.
void ThreadsSystem::note_schedule() {
  const auto note = [&](Occurrence& seen) {
    if (seen.schedule.empty()) seen = {.schedule = schedule_, .tracked = scheduler_.configuration().tracked};
  };
  for (RaceReport& race : scheduler_.discoveries().races()) note(race.seen);
  for (LeftThread& thread : scheduler_.discoveries().left_behind()) note(thread.seen);
  noted_ = scheduler_.discoveries().count();
}

std::optional<Touch> ThreadsSystem::pending(const Transition& transition) {
  if (transition.kind != TransitionKind::kOperation) return std::nullopt;
  const Operation& operation = scheduler_.threads().of(transition.actor)->pending;
  if (operation.address == 0) return std::nullopt;
  // Memory is told apart by words, as touches tell it.
  switch (operation.kind) {
    case OperationKind::kRead:
    case OperationKind::kAtomicLoad:
    case OperationKind::kLibraryRead:
    case OperationKind::kAnnotatedAfter:
      return Touch{.object = operation.address & ~std::uint64_t{7}, .access = Access::kRead};
    case OperationKind::kClockRead: return Touch{.object = operation.address, .access = Access::kRead};
    case OperationKind::kWrite:
    case OperationKind::kAtomicStore:
    case OperationKind::kAtomicUpdate:
    case OperationKind::kAnnotatedBefore:
    case OperationKind::kFutexWait:
    case OperationKind::kFutexWake:
      return Touch{.object = operation.address & ~std::uint64_t{7}, .access = Access::kWrite};
    default: return Touch{.object = operation.address, .access = Access::kWrite};
  }
}

Transition* ThreadsSystem::list_alternatives(const Thread& thread, Transition* next) {
  const std::uint32_t count = scheduler_.deadlines().alternatives(thread);
  const std::uint32_t first = count == 0 ? 0 : first_alternative(thread);
  enabled_count_ = static_cast<std::size_t>(next - enabled_.data());
  if (count > 1) make_room(count + scheduler_.threads().by_name().size());
  for (std::uint32_t i = 0; i < count; ++i)
    enabled_[enabled_count_++] = {
        .actor = thread.actor, .alternative = first + i, .kind = TransitionKind::kOperation};
  return enabled_.data() + enabled_count_;
}

void ThreadsSystem::list_those_who_stand_back() {
  if (scheduler_.configuration().passes_when_idle) {
    if (scheduler_.fairness().let_go_on_before_time_passes()) list(false);
    if (enabled_count_ > 0 || list_passing()) return;
  }
  // All threads stand back for each other: the one that has just moved does so for the others.
  scheduler_.fairness().let_others_go();
  list(false);
  if (enabled_count_ == 0) list(true);
  if (enabled_count_ == 0) end_stuck();
}

// Whether there is something to wait for.
bool ThreadsSystem::list_passing() {
  if (!scheduler_.deadlines().next_deadline()) return false;
  list_passing_as_well();
  return true;
}

void ThreadsSystem::list_passing_as_well() {
  make_room(1);
  enabled_[enabled_count_++] = {
      .actor = scheduler_.actors().time(), .alternative = 0, .kind = TransitionKind::kPasses};
}

void ThreadsSystem::end_stuck() {
  is_stuck_ = true;
  scheduler_.note_nothing_enabled();
}

std::vector<ActorId> ThreadsSystem::blocked() {
  std::vector<ActorId> all;
  for (const Thread* const thread : scheduler_.threads().by_name())
    if (thread->state == ThreadState::kWaiting && scheduler_.deadlines().alternatives(*thread) == 0)
      all.push_back(thread->actor);
  return all;
}

void ThreadsSystem::look_again() {
  // A thread that stands back for others to move does not wait for time to pass.
  const auto moves_time_on = [&](const Transition& transition) {
    return scheduler_.deadlines().moves_time_on(*scheduler_.threads().of(transition.actor));
  };
  if (scheduler_.configuration().follows_deadlines && std::ranges::all_of(enabled(), moves_time_on) &&
      scheduler_.fairness().let_go_on_before_time_passes()) {
    enabled_count_ = 0;
    list(false);
  }
  if (scheduler_.configuration().spurious) end_if_all_is_spurious();
  if (scheduler_.configuration().fires_early) list_early();
}

// Time may pass to what is due later, although somebody can go on.
void ThreadsSystem::list_early() {
  if (scheduler_.ending().outcome() != Outcome::kRunning || enabled_count_ == 0 ||
      enabled_.front().kind == TransitionKind::kPasses)
    return;
  const std::size_t count = scheduler_.deadlines().dates_to_come().size();
  make_room(count);
  for (std::uint32_t i = 1; i <= count; ++i)
    enabled_[enabled_count_++] = {
        .actor = scheduler_.actors().time(), .alternative = i, .kind = TransitionKind::kEarly};
}

// A program that goes on only when waits wake without reason is in a deadlock.
void ThreadsSystem::end_if_all_is_spurious() {
  const bool all = std::ranges::all_of(enabled(), [&](const Transition& transition) {
    if (transition.kind == TransitionKind::kPasses) return false;
    const Thread& thread = *scheduler_.threads().of(transition.actor);
    return thread.pending.is_spurious && !thread.is_woken;
  });
  if (!all || scheduler_.ending().outcome() != Outcome::kRunning) return;
  if (scheduler_.configuration().passes_when_idle && list_passing()) return;
  enabled_count_ = 0;
  end_stuck();
}

// A wait that gives up, or a sleep that ends, by a deadline that is not over yet.
bool ThreadsSystem::goes_on_by_time(const Transition& transition) const {
  if (transition.kind != TransitionKind::kOperation || scheduler_.configuration().passes_when_idle)
    return false;
  const Thread& thread = *scheduler_.threads().of(transition.actor);
  if (scheduler_.configuration().follows_deadlines && !scheduler_.deadlines().moves_time_on(thread))
    return false;
  const bool gives_up = thread.pending.expires && !thread.pending.is_spurious && transition.alternative == 1;
  return gives_up || thread.pending.kind == OperationKind::kSleep;
}

bool ThreadsSystem::is_early_timeout(const Transition& transition) {
  return goes_on_by_time(transition) && std::ranges::any_of(enabled(), [&](const Transition& other) {
           return other.actor != transition.actor && !goes_on_by_time(other);
         });
}

Bug ThreadsSystem::bug() const {
  const RawBug& raw = scheduler_.ending().bug();
  // Bugs are told apart by this, so it has all that is the same in all executions with this bug: the place as
  // a number.
  Bug bug{.kind = raw.kind,
          .message = raw.message,
          .file = raw.file,
          .line = raw.line,
          .actor = {},
          .details = {}};
  if (raw.file.empty() && !raw.stack.empty()) bug.file = "$P" + std::to_string(raw.stack.front());
  return bug;
}

bool ThreadsSystem::is_bug(const Bug& known) const {
  const RawBug& raw = scheduler_.ending().bug();
  if (raw.file.empty()) return System::is_bug(known);
  return raw.line == known.line && raw.kind == known.kind && raw.message == known.message &&
         raw.file == known.file;
}

void ThreadsSystem::restore(Snapshot) { CHECK_MESSAGE(false, "threads have no snapshots"); }

}  // namespace ravel::threads
