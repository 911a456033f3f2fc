#include "threads/runtime/thread_table.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/mappings.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// As a thread is before its first step.
void clear(Thread& thread) {
  thread.state = ThreadState::kNew;
  thread.gate = &kClosed;
  thread.until_end = &thread;
  thread.stack_low = thread.place.stack_low();
  thread.stack_size = thread.place.stack_high() - thread.place.stack_low();
  thread.pending = {};
  thread.alternative = 0;
  thread.deadline = thread.polls_until = kNever;
  thread.calls.clear();
  thread.poll_ticks = thread.clock_step = 0;
  thread.clock_looks = 0;
  thread.has_waited_for_time = false;
  thread.clock.clear();
  thread.start = nullptr;
  thread.start_c11 = nullptr;
  thread.argument = thread.result = nullptr;
  thread.is_detached = thread.is_joined = false;
  thread.has_moved = false;
  thread.ignored_races = 0;
  thread.children = 0;
  thread.spins = thread.spins_before = 0;
  thread.looks_in_a_row = thread.looks_before = 0;
  thread.look_number = thread.looks_next = 0;
  thread.overwritten = 0;
  thread.stands_back = false;
  thread.has_woken = false;
  thread.phase = 0;
  thread.volatile_reads = 0;
  thread.has_only_looked = thread.has_read_clock = false;
  thread.has_changed = false;
  thread.writes_noted = 0;
  thread.semaphore = nullptr;
  thread.loop.clear();
  thread.segment.clear();
  if (current != nullptr) {
    thread.signal_mask = current->signal_mask;
  } else {
    sigemptyset(&thread.signal_mask);
  }
  sigemptyset(&thread.pending_signals);
  thread.signal_stack = {.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  thread.is_woken = false;
  thread.wake_result = 0;
  thread.at_end.clear();
  thread.specific.clear();
}

Thread* make_thread(std::uint32_t slot) {
  return new (reinterpret_cast<Thread*>(kThreadsBase) + slot) Thread;
}

}  // namespace

void ThreadTable::make_main() {
  CHECK_MESSAGE(reserve_at(kThreadsBase, kSlotsMax * sizeof(Thread)) != nullptr,
                "there is no memory for what is known of threads");
  slots_[0] = make_thread(0);
  slots_[0]->place.make_main();
}

void ThreadTable::begin_execution() {
  for (Thread* const thread : numbered_) {
    thread->place.restore();
    by_actor_[static_cast<std::size_t>(thread->actor)] = nullptr;
    thread->state = ThreadState::kEnded;
    thread->number = ~0u;
  }
  by_name_.clear();
  numbered_.clear();
  moved_last_ = nullptr;
}

Thread& ThreadTable::add(std::uint32_t slot, ActorId actor) {
  if (slots_[slot] == nullptr) slots_[slot] = make_thread(slot);
  Thread& thread = *slots_[slot];
  if (!thread.place.exists()) {
    // The C library allocates for the new thread, which is none of the program's business.
    const bool was_in_program = std::exchange(in_program, false);
    thread.place.make_parked(slot);
    in_program = was_in_program;
  }
  thread.slot = slot;
  thread.number = static_cast<std::uint32_t>(numbered_.size());
  thread.actor = actor;
  thread.transition = {.actor = actor, .alternative = 0, .kind = TransitionKind::kOperation};
  clear(thread);
  numbered_.push_back(&thread);
  const auto index = static_cast<std::size_t>(actor);
  if (index >= by_actor_.size()) by_actor_.resize(index + 1);
  by_actor_[index] = &thread;
  const ActorName& name = names_.name_of(actor);
  const auto is_later = [&](const Thread* other) { return name < names_.name_of(other->actor); };
  by_name_.insert(std::ranges::find_if(by_name_, is_later), &thread);
  return thread;
}

std::optional<std::uint32_t> ThreadTable::slot_of_child(const Thread& parent, std::uint32_t ordinal) const {
  if (parent.slot == 0 && ordinal < kDirectSlots) return ordinal;
  std::uint32_t place = static_cast<std::uint32_t>(combine(parent.slot, ordinal) % kChildrenMax);
  for (std::uint32_t tries = 0; tries < kChildrenMax; ++tries, place = (place + 1) % kChildrenMax) {
    const std::uint32_t slot = kDirectSlots + place;
    if (slots_[slot] == nullptr || slots_[slot]->number == ~0u) return slot;
  }
  return std::nullopt;
}

Thread* ThreadTable::find(std::uint64_t fs) const {
  for (Thread* const thread : numbered_)
    if (thread->place.fs() == fs) return thread;
  return nullptr;
}

}  // namespace ravel::threads
