#include "threads/runtime/threads_system.h"

#include <algorithm>

#include "base/check.h"

namespace ravel::threads {

void ThreadsSystem::reset() {
  schedule_.clear();
  scheduler_.begin_execution();
  list_enabled();
}

Event ThreadsSystem::step(const Transition& transition) {
  Thread* const thread = scheduler_.thread_of(transition.actor);
  CHECK(thread != nullptr);
  schedule_.push_back(transition);
  scheduler_.run(*thread, transition.alternative);
  if (scheduler_.races().size() + scheduler_.left_behind().size() != noted_) [[unlikely]]
    note_schedule();
  list_enabled();
  return {.actor = transition.actor, .alternative = transition.alternative, .footprint = scheduler_.touches()};
}

// Of what this step has shown.
void ThreadsSystem::note_schedule() {
  const auto note = [&](Occurrence& seen) {
    if (seen.schedule.empty()) seen = {.schedule = schedule_, .tracked = scheduler_.configuration().tracked};
  };
  for (RaceReport& race : scheduler_.races()) note(race.seen);
  for (LeftThread& thread : scheduler_.left_behind()) note(thread.seen);
  noted_ = scheduler_.races().size() + scheduler_.left_behind().size();
}

std::optional<Touch> ThreadsSystem::pending(const Transition& transition) {
  const Operation& operation = scheduler_.thread_of(transition.actor)->pending;
  if (operation.address == 0) return std::nullopt;
  // Memory is told apart by words, as touches tell it.
  switch (operation.kind) {
    case OperationKind::kRead:
    case OperationKind::kAtomicLoad:
      return Touch{.object = operation.address & ~std::uint64_t{7}, .access = Access::kRead};
    case OperationKind::kWrite:
    case OperationKind::kAtomicStore:
    case OperationKind::kAtomicUpdate:
    case OperationKind::kFutexWait:
    case OperationKind::kFutexWake:
      return Touch{.object = operation.address & ~std::uint64_t{7}, .access = Access::kWrite};
    default:
      return Touch{.object = operation.address, .access = Access::kWrite};
  }
}

void ThreadsSystem::list_enabled() {
  enabled_.clear();
  if (scheduler_.outcome() != Outcome::kRunning) return;
  const auto list = [this](bool those_who_stand_back) {
    for (const Thread* const thread : scheduler_.threads()) {
      if (thread->stands_back != those_who_stand_back) continue;
      if (thread->is_free && thread->state == ThreadState::kWaiting) {
        enabled_.push_back({.actor = thread->actor, .alternative = 0, .kind = TransitionKind::kOperation});
        continue;
      }
      const std::uint32_t count = scheduler_.alternatives(*thread);
      const std::uint32_t first = count == 0 ? 0 : scheduler_.first_alternative(*thread);
      for (std::uint32_t i = 0; i < count; ++i)
        enabled_.push_back({.actor = thread->actor, .alternative = first + i, .kind = TransitionKind::kOperation});
    }
  };
  list(false);
  if (enabled_.empty()) {
    // All stand back for each other: whoever has just moved does so for the others.
    scheduler_.let_others_go();
    list(false);
  }
  if (enabled_.empty()) list(true);
  if (!enabled_.empty()) return;
  scheduler_.note_nothing_enabled();
}

Bug ThreadsSystem::bug() const {
  const RawBug& raw = scheduler_.bug();
  // The key tells bugs apart, so it has all that is the same in all executions with this bug: the place as a number.
  Bug bug{.kind = raw.kind, .message = raw.message, .file = raw.file, .line = raw.line, .actor = {}, .details = {}};
  if (raw.file.empty() && !raw.stack.empty()) bug.file = "$P" + std::to_string(raw.stack.front());
  return bug;
}

void ThreadsSystem::restore(Snapshot) { CHECK_MESSAGE(false, "threads have no snapshots"); }

}  // namespace ravel::threads
