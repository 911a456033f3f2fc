#include "threads/runtime/loop_waits.h"

#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/thread_switch.h"

namespace ravel::threads {

namespace {

// The state of a thread with more stack is not known, and a loop with more operations is not looked at.
constexpr std::uint64_t kStackMax = 1 << 16;
constexpr std::size_t kArrivalsMax = 16;
// An iteration that overwrites more of its stack has an effect.
constexpr std::size_t kStackWordsMax = 64;
constexpr std::uint64_t kWord = 8;

// Registers that a function must keep: in the numbers of the unwinder.
constexpr std::array<int, 6> kKept = {3, 6, 12, 13, 14, 15};

struct Frame {
  std::uint64_t pc;
  std::uint64_t sp = 0;  // after the call, 0: not found
  std::uint64_t registers = 0;
};

// The frame of the program that has called the runtime. What the runtime itself has on the stack is not part
// of the state.
_Unwind_Reason_Code find_frame(_Unwind_Context* context, void* argument) {
  auto& frame = *static_cast<Frame*>(argument);
  int is_before = 0;
  const std::uint64_t ip = _Unwind_GetIPInfo(context, &is_before);
  if (ip == 0) return _URC_END_OF_STACK;
  if (ip - (is_before != 0 ? 0 : 1) != frame.pc) return _URC_NO_REASON;
  frame.sp = _Unwind_GetCFA(context);  // of what it has called: its own stack pointer then
  for (const int number : kKept) frame.registers = combine(frame.registers, _Unwind_GetGR(context, number));
  return _URC_END_OF_STACK;
}

std::optional<std::uint64_t> state_of(const Thread& thread, std::uint64_t pc) {
  Frame frame{.pc = pc};
  _Unwind_Backtrace(find_frame, &frame);
  const std::uint64_t high = thread.stack_low + thread.stack_size;
  if (frame.sp < thread.stack_low || frame.sp >= high || high - frame.sp > kStackMax) return std::nullopt;
  const auto* const bytes = reinterpret_cast<const std::byte*>(frame.sp);
  return combine(combine(frame.registers, frame.sp), hash_bytes(std::span(bytes, high - frame.sp)));
}

// Whether an object that could not be had still cannot be had.
bool is_taken(const SyncObject& object, OperationKind kind) {
  switch (kind) {
    case OperationKind::kTryWriteLock:
    case OperationKind::kTimedWriteLock: return object.owner != nullptr || !object.readers.empty();
    case OperationKind::kSemaphoreTry:
    case OperationKind::kSemaphoreTimedWait: return object.count == 0;
    default: return object.owner != nullptr;
  }
}

std::uint64_t value_at(const WaitingLoop::Read& read) {
  if (read.kind == OperationKind::kLock) return read.object->version;
  if (read.object != nullptr) return is_taken(*read.object, read.kind) ? 0 : 1;
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(read.address), read.size);
  return value;
}

// A recursive one may be locked more than once.
std::uint32_t times_held(const WaitingLoop& loop) { return loop.holds ? 1 + loop.mutex->count : 0; }

}  // namespace

void LoopWaits::configure(const Configuration& configuration) {
  need_fairness_ = false;
  is_clock_read_ = is_slept_in_loop_ = false;
  locks_ = stacks_ = {};
  // Where races are not looked for, others may change what a loop reads without an operation.
  is_on_ =
      !configuration.is_fair && !configuration.by_states &&
      (configuration.accesses == AccessOperations::kRacy || configuration.accesses == AccessOperations::kAll);
}

LoopUses LoopWaits::uses() const {
  return {.locks_of_loops = locks_.noted(TwoSides::Side::kLoops),
          .locks_tried = locks_.noted(TwoSides::Side::kOthers),
          .stack_of_loops = stacks_.noted(TwoSides::Side::kLoops),
          .stack_of_others = stacks_.noted(TwoSides::Side::kOthers),
          .is_clock_read = is_clock_read_,
          .is_slept_in_loop = is_slept_in_loop_};
}

std::size_t LoopWaits::use_count() const {
  std::size_t count = (is_clock_read_ ? 1 : 0) + (is_slept_in_loop_ ? 1 : 0);
  for (const TwoSides* const sides : {&locks_, &stacks_})
    for (const auto side : {TwoSides::Side::kLoops, TwoSides::Side::kOthers})
      count += sides->noted(side).size();
  return count;
}

void LoopWaits::add_uses(const LoopUses& uses) {
  for (const std::uint64_t word : uses.locks_of_loops) note_on(locks_, TwoSides::Side::kLoops, word);
  for (const std::uint64_t word : uses.locks_tried) note_on(locks_, TwoSides::Side::kOthers, word);
  for (const std::uint64_t word : uses.stack_of_loops) note_on(stacks_, TwoSides::Side::kLoops, word);
  for (const std::uint64_t word : uses.stack_of_others) note_on(stacks_, TwoSides::Side::kOthers, word);
  if (uses.is_clock_read) note_use_of_clock(ClockUse::kRead);
  if (uses.is_slept_in_loop) note_use_of_clock(ClockUse::kSleepInLoop);
}

void LoopWaits::set_uses(const LoopUses& uses) {
  need_fairness_ = is_clock_read_ = is_slept_in_loop_ = false;
  locks_ = stacks_ = {};
  add_uses(uses);
}

std::optional<std::uint64_t> LoopWaits::own_state() {
  // The unwinder locks and allocates, too, which must not become operations of the thread.
  const bool was_in_program = std::exchange(in_program, false);
  Thread* const self = std::exchange(current, nullptr);
  const std::optional<std::uint64_t> state = state_of(*self, self->pending.pc);
  current = self;
  in_program = was_in_program;
  return state;
}

void LoopWaits::come_to_operation(Thread& self) {
  WaitingLoop& loop = self.loop;
  loop.waits = loop.has_waited = false;
  const bool has_only_looked = std::exchange(self.has_only_looked, false);
  SyncObject* const unlocked = std::exchange(loop.unlocked, nullptr);
  const bool is_silent = look_for_loop(self, has_only_looked) && !loop.tells_news;
  if (unlocked != nullptr && !is_silent) add_version(self, *unlocked);
  if (!loop.waits) return;
  self.gate = nullptr;
  if (loop.sleeps) note_use_of_clock(ClockUse::kSleepInLoop);
  if (!loop.locks_in_iteration) return;
  note_on(locks_, TwoSides::Side::kLoops, loop.mutex->address);
  for (const std::uint64_t word : loop.stack_words) note_on(stacks_, TwoSides::Side::kLoops, word);
}

// Whether the thread is where it was in a pure iteration.
bool LoopWaits::look_for_loop(Thread& self, bool has_only_looked) {
  WaitingLoop& loop = self.loop;
  if (!has_only_looked) loop.clear();
  switch (self.pending.kind) {
    case OperationKind::kRead:
    case OperationKind::kAtomicLoad:
    case OperationKind::kAtomicUpdate:
    case OperationKind::kYield:
    case OperationKind::kSleep:
    case OperationKind::kLock:
    case OperationKind::kSpinLock:
    case OperationKind::kReadLock:
    case OperationKind::kWriteLock:
    case OperationKind::kTryLock:
    case OperationKind::kTimedLock:
    case OperationKind::kTryReadLock:
    case OperationKind::kTimedReadLock:
    case OperationKind::kTryWriteLock:
    case OperationKind::kTimedWriteLock:
    case OperationKind::kTrySpinLock:
    case OperationKind::kSemaphoreTry:
    case OperationKind::kSemaphoreTimedWait: break;
    default: return false;
  }
  const std::uint64_t pc = self.pending.pc;
  WaitingLoop::Arrival arrived{
      .pc = pc, .state = {}, .reads = loop.reads.size(), .locks = loop.locks, .holds = times_held(loop)};
  const auto is_at = [pc](const WaitingLoop::Arrival& arrival) { return arrival.pc == pc; };
  bool is_known = false;
  if (heads_.contains(pc)) {
    arrived.state = own_state();
    const auto is_here = [&](const WaitingLoop::Arrival& arrival) { return arrival.is_same_place(arrived); };
    is_known = std::ranges::any_of(loop.cycle, is_here);
    for (std::size_t i = 0; i < loop.arrivals.size(); ++i) {
      const WaitingLoop::Arrival& arrival = loop.arrivals[i];
      // A thread that holds what the others need must not wait for them.
      if (!is_here(arrival) || (arrival.holds != 0 && arrival.locks != loop.locks)) continue;
      loop.first_read = arrival.reads;
      loop.state = *arrival.state;
      loop.locks_in_iteration = arrival.locks != loop.locks;
      loop.waits = true;
      loop.cycle.assign(loop.arrivals.begin() + static_cast<std::ptrdiff_t>(i), loop.arrivals.end());
    }
  } else if (std::ranges::any_of(loop.arrivals, is_at) || std::ranges::any_of(loop.cycle, is_at)) {
    heads_.add(pc);
  }
  if (loop.arrivals.size() >= kArrivalsMax) {
    loop.clear();
    arrived = {.pc = pc, .state = arrived.state};
    is_known = false;
  }
  if (!loop.waits) loop.arrivals.push_back(arrived);
  return loop.waits || is_known;
}

void LoopWaits::end_waiting(Thread& self) {
  WaitingLoop& loop = self.loop;
  for (std::size_t i = loop.first_read; i < loop.reads.size(); ++i)
    step_.touch(
        loop.reads[i].object != nullptr ? loop.reads[i].address : loop.reads[i].address & ~(kWord - 1),
        Access::kRead);
  // The thread counts as one that has come for the first time.
  loop.forget_iteration();
  loop.arrivals.push_back({.pc = self.pending.pc,
                           .state = loop.state,
                           .reads = 0,
                           .locks = loop.locks,
                           .holds = times_held(loop)});
  loop.waits = loop.sleeps = false;
  loop.has_waited = true;
}

void LoopWaits::note_value(std::uint64_t address, std::uint32_t size) {
  Thread& self = *current;
  self.has_only_looked = true;
  for (std::uint32_t at = 0; at < size;) {
    const std::uint32_t part =
        std::min<std::uint32_t>(size - at, static_cast<std::uint32_t>(kWord - (address + at) % kWord));
    WaitingLoop::Read read{.address = address + at, .value = 0, .size = part};
    read.value = value_at(read);
    self.loop.reads.push_back(read);
    at += part;
  }
}

void LoopWaits::note_failure(const SyncObject& object) {
  current->has_only_looked = true;
  current->loop.reads.push_back(
      {.address = object.address, .kind = current->pending.kind, .object = &object});
}

void LoopWaits::add_version(Thread& self, SyncObject& mutex) {
  // What it has changed itself is no news to the thread.
  for (WaitingLoop::Read& read : self.loop.reads)
    if (read.object == &mutex && read.kind == OperationKind::kLock && read.value == mutex.version)
      ++read.value;
  ++mutex.version;
}

void LoopWaits::note_lock(SyncObject& mutex) {
  WaitingLoop& loop = current->loop;
  if (!is_on_ || loop.holds || (loop.mutex != nullptr && loop.mutex != &mutex)) return;
  // What it has overwritten on its stack before is not known.
  if (loop.mutex == nullptr && !loop.arrivals.empty())
    loop.arrivals.erase(loop.arrivals.begin(), loop.arrivals.end() - 1);
  loop.mutex = &mutex;
  loop.holds = true;
  ++loop.locks;
  loop.reads.push_back(
      {.address = mutex.address, .value = mutex.version, .kind = OperationKind::kLock, .object = &mutex});
  current->has_only_looked = true;
}

void LoopWaits::note_unlock(SyncObject& mutex, const VectorClock& clock) {
  WaitingLoop& loop = current->loop;
  if (!is_on_ || loop.mutex != &mutex || !loop.holds) {
    ++mutex.version;
    return;
  }
  loop.holds = false;
  loop.unlocked = &mutex;
  loop.tells_news = !loop.has_told || !clock.covers(current->clock, current->number);
  loop.has_told = true;
  current->has_only_looked = true;
}

void LoopWaits::note_stack_write(Thread& self, std::uint64_t address, std::uint32_t size) {
  std::vector<std::uint64_t>& words = self.loop.stack_words;
  for (std::uint64_t word = address & ~(kWord - 1); word < address + size; word += kWord) {
    if (std::ranges::find(words, word) != words.end()) continue;
    if (words.size() == kStackWordsMax) {
      self.has_only_looked = false;
      return;
    }
    words.push_back(word);
  }
}

void LoopWaits::note_access_to_stacks(std::uint64_t address, std::uint32_t size) {
  if (address - kStackBase >= kStackSlotSize * kSlotsMax ||
      address - current->stack_low < current->stack_size)
    return;
  for (std::uint64_t word = address & ~(kWord - 1); word < address + size; word += kWord)
    note_on(stacks_, TwoSides::Side::kOthers, word);
}

void LoopWaits::note_try(const SyncObject& object) {
  if (is_on_) note_on(locks_, TwoSides::Side::kOthers, object.address);
}

void LoopWaits::note_on(TwoSides& sides, TwoSides::Side side, std::uint64_t word) {
  sides.note(side, word);
  if (sides.meet()) need_fairness_ = true;
}

void LoopWaits::note_use_of_clock(ClockUse use) {
  (use == ClockUse::kRead ? is_clock_read_ : is_slept_in_loop_) = true;
  if (is_clock_read_ && is_slept_in_loop_) need_fairness_ = true;
}

bool LoopWaits::holds_up(const Thread& thread) const {
  const WaitingLoop& loop = thread.loop;
  // A race that was found makes this search a first attempt: what the loop reads may change unnoticed.
  if (!loop.waits || discoveries_.has_new_racy_words()) return false;
  for (std::size_t i = loop.first_read; i < loop.reads.size(); ++i)
    if (value_at(loop.reads[i]) != loop.reads[i].value) return false;
  return true;
}

}  // namespace ravel::threads
