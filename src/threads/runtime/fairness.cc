// Who stands back for others: threads that yield, and those that only look, again and again.
//
// To lock something and to unlock it again is to look as well, if the thread has changed nothing meanwhile that others can see. Locking
// alone is neither; what it was good for shows when the lock is given back. Nor is to signal nobody, or to
// post a semaphore that is not at zero. What the thread overwrites, on its own stack or elsewhere, counts as a change if it is something else than when it unlocked the same the last time: that round has
// changed nothing that the one before has not.

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "base/hash.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// A thread that as many times in a row only looks at what it has looked at just before is taken to wait for another one.
constexpr std::uint32_t kSpinsMax = 100;
// So is one that as many times in a row only looks, at whatever: it goes round and round over more than it is remembered to have seen.
constexpr std::uint32_t kLooksMax = 1000;
// What it may look at when something has changed, if it is not remembered after how many looks it begins again.
constexpr std::uint32_t kLooksAgain = 100;

// Where time follows deadlines: a thread that has only looked so many times in a row lets time pass, too.
constexpr std::uint32_t kSpinsBeforeTime = 10;

// So many places of a round, at most, are tried for standing back, see Scheduler::note_waking().
constexpr std::uint32_t kPhases = 61;

// A second. Any time may pass between two operations.
constexpr std::uint64_t kTicksOfWaiting = 1'000'000'000;

}  // namespace

void Scheduler::note_look(std::uint64_t address, std::uint64_t pc) { note_look_after(address, pc, 0); }

void Scheduler::note_look_after(std::uint64_t address, std::uint64_t pc, std::uint64_t overwritten) {
  Thread& self = *current;
  const std::uint64_t place = combine(address, pc);
  const std::uint32_t number = ++self.look_number;
  const auto noted = std::span(self.looks).first(std::min<std::size_t>(self.looks_next, self.looks.size()));
  const auto known = std::ranges::find(noted, place, &Look::place);
  const bool is_known = known != noted.end();
  const bool is_same = is_known ? known->overwritten == overwritten : overwritten == 0;
  if (is_same) {
    self.looks_in_a_row = self.looks_before + 1;
    if (self.looks_in_a_row > kLooksMax + self.phase) give_way();
  }
  if (!is_known) {
    self.looks[self.looks_next++ % self.looks.size()] = {.place = place, .overwritten = overwritten, .number = number};
    return;
  }
  self.round = number - std::exchange(known->number, number);
  known->overwritten = overwritten;
  if (!is_same) return;
  self.spins = self.spins_before + 1;
  if (self.spins > kSpinsMax + self.phase) give_way();
}

// What it writes is not known yet, but what it wrote here the last time is there no longer if somebody has changed it, itself included.
void Scheduler::note_writing(std::uint64_t address, std::uint32_t size, std::uint64_t pc) {
  std::uint64_t hash = 0;
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + size; word += 8)
    hash = combine(hash, *reinterpret_cast<const std::uint64_t*>(word));
  note_look_after(address, pc, hash);
}

void Scheduler::note_nothing() {
  Thread& self = *current;
  self.spins = self.spins_before;
  self.looks_in_a_row = self.looks_before;
}

void Scheduler::note_taking(const SyncObject& object) {
  // Nobody sees what else the thread changes.
  if (ravel_watched_memory.is_only_tracked) return;
  note_nothing();
  Thread& self = *current;
  if (object.kind == SyncKind::kSemaphore) self.semaphore = &object;
}

void Scheduler::note_giving_back(const SyncObject& object) {
  Thread& self = *current;
  // A semaphore may also be given what was not taken from it.
  const bool is_given_back = object.kind != SyncKind::kSemaphore || std::exchange(self.semaphore, nullptr) == &object;
  const std::uint64_t overwritten = std::exchange(self.overwritten, 0);
  const bool has_changed = std::exchange(self.has_changed, false);
  self.writes_noted = 0;
  if (has_changed || ravel_watched_memory.is_only_tracked) return;
  if (!is_given_back && object.count == 0) return;
  note_look_after(object.address, self.pending.pc, overwritten);
  if (is_given_back) return;
  // Whoever waits for a semaphore that is not at zero could go on before, too. But who does nothing else than to post it waits for nobody.
  self.spins = std::min(self.spins, self.spins_before);
  self.looks_in_a_row = std::min(self.looks_in_a_row, self.looks_before);
}

void Scheduler::stand_back() {
  current->spins = current->spins_before + 1;
  if (configuration_.is_fair || current->spins > kSpinsMax) give_way();
}

void Scheduler::give_way() {
  // One that goes round and round and looks at the clock waits for time to pass.
  const bool goes_round = current->spins > kSpinsMax || current->looks_in_a_row > kLooksMax;
  if (goes_round && std::exchange(current->has_read_clock, false) && !configuration_.follows_deadlines) {
    if (configuration_.passes_when_idle) {
      current->polls_until = ticks + next_poll();
    } else {
      ticks += kTicksOfWaiting;
      touch_only(kClockObject, Access::kWrite);
    }
  }
  if (goes_round && std::exchange(current->has_woken, false)) current->phase = (current->phase + 1) % kPhases;
  current->stands_back = someone_stands_back_ = true;
  if (!configuration_.is_fair) needs_fairness_ = true;
}

void Scheduler::let_others_go() {
  for (Thread* const thread : order_)
    if (thread != moved_last_ && alternatives(*thread) > 0) thread->stands_back = false;
}

bool Scheduler::let_go_on_before_time_passes() {
  bool is_anybody = false;
  for (Thread* const thread : order_) {
    if (!thread->stands_back || thread->spins > kSpinsBeforeTime) continue;
    thread->stands_back = false;
    is_anybody = true;
  }
  return is_anybody;
}

void Scheduler::end_standing_back() {
  for (Thread* const other : order_) {
    if (!std::exchange(other->stands_back, false)) continue;
    // Something has changed: before it stands back again it may look at everything once, to see that and go on.
    other->spins = std::min(other->spins, kSpinsMax - std::min(other->round, kSpinsMax));
    other->looks_in_a_row = std::min(other->looks_in_a_row, kLooksMax - kLooksAgain);
  }
  someone_stands_back_ = false;
}

}  // namespace ravel::threads
