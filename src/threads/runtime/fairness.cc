#include "threads/runtime/fairness.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "base/hash.h"
#include "threads/runtime/watched_memory.h"

namespace ravel::threads {

namespace {

// A thread that as many times in a row only looks at what it has looked at just before is taken to wait for
// another one.
constexpr std::uint32_t kSpinsMax = 100;
// A thread that as many times in a row only looks, at whatever, is taken to wait, too: it goes round and
// round over more than it is remembered to have seen.
constexpr std::uint32_t kLooksMax = 1000;
// What it may look at when something has changed, if it is not remembered after how many looks it begins
// again.
constexpr std::uint32_t kLooksAgain = 100;

// Where time follows deadlines: a thread that has only looked so many times in a row lets time pass, too.
constexpr std::uint32_t kSpinsBeforeTime = 10;

// How many places of a round, at most, are tried for standing back, see Fairness::note_waking().
constexpr std::uint32_t kPhases = 61;

// A second. Any time may pass between two operations.
constexpr std::uint64_t kTicksOfWaiting = 1'000'000'000;

}  // namespace

void Fairness::note_look_after(std::uint64_t address, std::uint64_t pc, std::uint64_t overwritten) {
  if (configuration_.by_states) return;
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
    self.looks[self.looks_next++ % self.looks.size()] = {
        .place = place, .overwritten = overwritten, .number = number};
    return;
  }
  self.round = number - std::exchange(known->number, number);
  known->overwritten = overwritten;
  if (!is_same) return;
  self.spins = self.spins_before + 1;
  if (self.spins > kSpinsMax + self.phase) give_way();
}

// What it writes is not known yet, but what it wrote here the last time is there no longer if somebody has
// changed it, itself included.
void Fairness::note_writing(std::uint64_t address, std::uint32_t size, std::uint64_t pc) {
  if (configuration_.by_states) return;
  std::uint64_t hash = 0;
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + size; word += 8)
    hash = combine(hash, *reinterpret_cast<const std::uint64_t*>(word));
  note_look_after(address, pc, hash);
}

void Fairness::note_nothing() {
  Thread& self = *current;
  self.spins = self.spins_before;
  self.looks_in_a_row = self.looks_before;
}

void Fairness::note_taking(const SyncObject& object) {
  // Nobody sees what else the thread changes.
  if (ravel_watched_memory.is_only_tracked) return;
  note_nothing();
  Thread& self = *current;
  if (object.kind == SyncKind::kSemaphore) self.semaphore = &object;
}

void Fairness::note_giving_back(const SyncObject& object) {
  if (configuration_.by_states) return;
  Thread& self = *current;
  // A semaphore may also be given what was not taken from it.
  const bool is_given_back =
      object.kind != SyncKind::kSemaphore || std::exchange(self.semaphore, nullptr) == &object;
  const std::uint64_t overwritten = std::exchange(self.overwritten, 0);
  const bool has_changed = std::exchange(self.has_changed, false);
  self.writes_noted = 0;
  if (has_changed || ravel_watched_memory.is_only_tracked) return;
  if (!is_given_back && object.count == 0) return;
  note_look_after(object.address, self.pending.pc, overwritten);
  if (is_given_back) return;
  // A thread that waits for a semaphore that is not at zero could go on before, too. But a thread that does
  // nothing else than to post it waits for nobody.
  self.spins = std::min(self.spins, self.spins_before);
  self.looks_in_a_row = std::min(self.looks_in_a_row, self.looks_before);
}

void Fairness::stand_back() {
  if (configuration_.by_states) return;
  current->spins = current->spins_before + 1;
  if (configuration_.is_fair || current->spins > kSpinsMax) give_way();
}

void Fairness::give_way() {
  // A thread that goes round and round and looks at the clock waits for time to pass.
  const bool goes_round = current->spins > kSpinsMax || current->looks_in_a_row > kLooksMax;
  if (goes_round && std::exchange(current->has_read_clock, false) && !configuration_.follows_deadlines) {
    if (configuration_.passes_when_idle) {
      current->polls_until = deadlines_.ticks() + deadlines_.next_poll();
    } else {
      deadlines_.let_pass(kTicksOfWaiting);
      step_.touch_only(kClockObject, Access::kWrite);
    }
  }
  if (goes_round && std::exchange(current->has_woken, false)) current->phase = (current->phase + 1) % kPhases;
  current->stands_back = someone_stands_back_ = true;
  if (!configuration_.is_fair) is_needed_ = true;
}

void Fairness::note_passed_time() {
  for (Thread* const thread : threads_.by_name()) thread->polls_until = kNever;
  if (someone_stands_back_) end_standing_back();
}

void Fairness::let_others_go() {
  for (Thread* const thread : threads_.by_name())
    if (thread != threads_.moved_last() && deadlines_.alternatives(*thread) > 0) thread->stands_back = false;
}

bool Fairness::let_go_on_before_time_passes() {
  bool is_anybody = false;
  for (Thread* const thread : threads_.by_name()) {
    if (!thread->stands_back || thread->spins > kSpinsBeforeTime) continue;
    thread->stands_back = false;
    is_anybody = true;
  }
  return is_anybody;
}

void Fairness::end_standing_back() {
  for (Thread* const other : threads_.by_name()) {
    if (!std::exchange(other->stands_back, false)) continue;
    // Something has changed: before the thread stands back again it may look at everything once, to see that
    // and go on.
    other->spins = std::min(other->spins, kSpinsMax - std::min(other->round, kSpinsMax));
    other->looks_in_a_row = std::min(other->looks_in_a_row, kLooksMax - kLooksAgain);
  }
  someone_stands_back_ = false;
}

}  // namespace ravel::threads
