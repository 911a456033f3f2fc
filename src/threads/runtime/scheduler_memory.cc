// The scheduler's part in accesses to memory: which are operations, which touch freed memory, which race.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "threads/runtime/harmless_races.h"
#include "threads/runtime/heap.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// Of larger blocks that are freed only what other threads have accessed is looked at for races.
constexpr std::uint64_t kFreeNotedMax = 4096;

std::uint8_t bytes_of(std::uint64_t address, std::uint64_t end, std::uint64_t word) {
  const std::uint64_t low = std::max(address, word) - word;
  const std::uint64_t high = std::min(end, word + 8) - word;
  return static_cast<std::uint8_t>((0xFFu >> (8 - (high - low))) << low);
}

}  // namespace

void Scheduler::slow_access(std::uint64_t address, std::uint32_t size, AccessKind kind, std::uint64_t pc) {
  Thread& self = *current;
  const std::uint64_t end = address + size;
  bool is_operation = configuration_.accesses == AccessOperations::kAll && address - self.stack_low >= self.stack_size;
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < end; word += 8) {
    const ShadowCell& cell = shadow_of(word);
    if (cell.write == epoch::kTracked) is_operation = true;
    check_freed(cell, word, kind, pc);
  }
  const bool is_own_stack = address - self.stack_low < self.stack_size;
  if (!is_own_stack && is_left_stack(address)) [[unlikely]]
    check_memory(address, writes(kind) ? "writes to" : "reads", "memory", pc);
  if (writes(kind) && !is_own_stack) {
    if (size <= kAccessMax) {
      self.note_write(address, size);
    } else {
      self.note_change();
    }
  }
  if (writes(kind) && is_own_stack && self.loop.mutex != nullptr) note_stack_write(self, address, size);
  if (ravel_watched_memory.is_only_tracked && !is_operation) return;
  if (writes(kind) && is_own_stack) self.note_overwriting(address, size);
  if (configuration_.counts_accesses && address - self.stack_low >= self.stack_size) [[unlikely]] {
    for (std::uint64_t word = address & ~std::uint64_t{7}; word < end; word += 8)
      count_access(word, writes(kind), self.actor, pc);
  }
  if (is_operation) {
    visible({.kind = kind == AccessKind::kRead ? OperationKind::kRead : OperationKind::kWrite,
             .size = size,
             .address = address,
             .pc = pc});
    if (is_left_stack(address)) [[unlikely]]
      check_memory(address, writes(kind) ? "writes to" : "reads", "memory", pc);
    for (std::uint64_t word = address & ~std::uint64_t{7}; word < end; word += 8) {
      touch_only(word, kind == AccessKind::kRead ? Access::kRead : Access::kWrite);
      check_freed(shadow_of(word), word, kind, pc);
    }
    if (kind == AccessKind::kRead) {
      note_look_at_value(address, size, pc);
    } else if (size <= kAccessMax) {
      note_writing(address, size, pc);
    }
  }
  note_access(address, size, kind, pc);
}

void Scheduler::use_library(std::span<const LibraryUse> uses, std::uint64_t pc) {
  const AccessOperations accesses = configuration_.accesses;
  const bool all = accesses == AccessOperations::kAll || (accesses == AccessOperations::kSync && numbered_.size() > 1);
  const auto is_operation = [&](const LibraryUse& use) { return all || shadow_of(use.word).write == epoch::kTracked; };
  const auto kind_of = [](const LibraryUse& use) { return use.changes ? AccessKind::kWrite : AccessKind::kRead; };
  const auto first = std::ranges::find_if(uses, is_operation);
  if (first != uses.end()) {
    const bool changes = std::ranges::any_of(uses, [&](const LibraryUse& use) { return use.changes && is_operation(use); });
    visible({.kind = changes ? OperationKind::kLibraryWrite : OperationKind::kLibraryRead, .size = 8, .address = first->word, .pc = pc});
    for (const LibraryUse& use : uses)
      if (is_operation(use)) touch_only(use.word, use.changes ? Access::kWrite : Access::kRead);
    if (!changes) note_look(first->word, pc);
  }
  for (const LibraryUse& use : uses) {
    ShadowCell& cell = shadow_of(use.word);
    check_freed(cell, use.word, kind_of(use), pc);  // a stream that was closed
    if (finds_waiting_) note_access_to_stacks(use.word, 8);
    if (cell.write == epoch::kTracked || ravel_watched_memory.is_only_tracked) continue;
    const auto race = shadow_.note(cell, current->epoch, current->clock, 0xFF, kind_of(use), pc);
    if (!race) continue;
    if (is_library_word(use.word) && !is_kept_by_library(use.word)) {
      report_race(*race, use.word, kind_of(use), pc);
    } else {
      add_racy_word(use.word);
    }
  }
}

void Scheduler::look_while_waiting(std::uint64_t address, std::uint32_t size, std::uint64_t pc) {
  visible({.kind = OperationKind::kRead, .size = size, .address = address, .pc = pc});
  touch_only(address & ~std::uint64_t{7}, Access::kRead);
  if (finds_waiting_) note_value(address, size);
  stand_back();
}

void Scheduler::note_access(std::uint64_t address, std::uint32_t size, AccessKind kind, std::uint64_t pc) {
  if (ravel_watched_memory.is_only_tracked) return;
  if (finds_waiting_) note_access_to_stacks(address, size);
  const std::uint64_t end = address + size;
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < end; word += 8) {
    ShadowCell& cell = shadow_of(word);
    if (cell.write == epoch::kTracked) continue;
    if (records_ && word == configuration_.watched) [[unlikely]]
      note_watched(kind, pc);
    const auto race = shadow_.note(cell, current->epoch, current->clock, bytes_of(address, end, word), kind, pc);
    if (current->ignored_races > 0) [[unlikely]]
      harmless_races.add_access(pc);
    if (race) report_race(*race, std::max(word, address), kind, pc);
  }
}

// What is tracked is no race any more; the other order is another trace all the same, so the step touches it.
void Scheduler::note_free(std::uint64_t address, std::uint64_t size, std::uint64_t pc) {
  const std::uint64_t end = address + size;
  const auto is_others = [&](std::uint64_t e) { return shadow_.is_noted(e) && epoch::thread_of(e) != current->number; };
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < end; word += 8) {
    const ShadowCell& cell = shadow_of(word);
    if (cell.write == epoch::kTracked) {
      // Objects of synchronisation may begin in its middle.
      for (const std::uint64_t object : {word, word + 4}) touch_only(object, Access::kWrite);
    } else if (size <= kFreeNotedMax || is_others(cell.write) || is_others(cell.read)) {
      const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(word + 8, end) - std::max(word, address));
      note_access(std::max(word, address), bytes, AccessKind::kWrite, pc);
    }
  }
  shadow_.mark_freed(address, size);
}

void Scheduler::fail_by_use_after_free(std::uint64_t address, AccessKind kind, std::uint64_t pc) {
  RawBug bug{.kind = "use_after_free",
             .message = fmt::format("{} freed memory in $F{:x};", writes(kind) ? "writes to" : "reads", pc),
             .stack = stack_of(pc)};
  bug.details.push_back(fmt::format("the memory was freed at $P{:x};", heap().freed_at(address)));
  fail(std::move(bug));
}

void Scheduler::add_racy_word(std::uint64_t word) {
  const auto place = std::ranges::lower_bound(racy_, word);
  if (place == racy_.end() || *place != word) racy_.insert(place, word);
}

namespace {

// An exception that threads share, as those of futures, is destroyed by the last who has it. The C++ library counts these by operations of its
// own, which nobody sees; so two accesses that seem to be in no order are explored in both, and not told.
bool is_exception(std::uint64_t address) {
  constexpr std::uint64_t kHeaderSize = 128, kClass = 96;  // of the Itanium ABI, with the count before it
  constexpr std::uint64_t kGnuClass = 0x474E5543432B2B00;  // "GNUCC++"
  const std::optional<HeapPlace> place = heap().place_of(address);
  if (!place || place->size < kHeaderSize) return false;
  std::uint64_t kind = 0;
  __builtin_memcpy(&kind, reinterpret_cast<const void*>(address - place->offset + kClass), sizeof kind);
  return kind == kGnuClass;
}

}  // namespace

void Scheduler::report_race(const Shadow::Race& race, std::uint64_t address, AccessKind kind, std::uint64_t pc) {
  // The shadow has the low half of the other program counter only; code lies in the same 4 GB, or in libraries.
  std::uint64_t other_pc = (pc & ~std::uint64_t{0xFFFFFFFF}) | race.pc;
  const std::uint64_t word = address & ~std::uint64_t{7};
  if (current->ignored_races > 0 || harmless_races.contains_access(static_cast<std::uint32_t>(race.pc)) ||
      harmless_races.contains_memory(address) || is_exception(address)) {
    add_racy_word(word);
    return;
  }
  // Where a race is a bug the word stays as it is: among the operations it would race no more.
  if (!configuration_.races_are_bugs) add_racy_word(word);
  const Thread& other = *numbered_[race.thread];
  RaceReport report{.address = address,
                    .pc = {other_pc, pc},
                    .stack = {{other_pc}, {pc}},
                    .actor = {static_cast<std::uint32_t>(other.actor), static_cast<std::uint32_t>(current->actor)},
                    .write = {race.write, writes(kind)}};
  for (const WatchedAccess& access : watched_accesses_) {
    for (int side = 0; side < 2; ++side)
      if (access.actor == report.actor[side] && access.write == report.write[side]) report.stack[side] = access.stack;
  }
  if (records_) report.on_stack = stack_place_of(address, As::kNow);
  if (configuration_.races_are_bugs) {
    RawBug bug{.kind = "data_race",
               .message = fmt::format("data race on $A{:x};", address),
               .stack = stack_of(pc)};
    const auto stack = [&](int side) { return fmt::format("$S{:x};", fmt::join(report.stack[side], ",")); };
    bug.details.push_back(fmt::format("$T{}; {} {}", report.actor[1], report.write[1] ? "writes" : "reads", stack(1)));
    bug.details.push_back(fmt::format("$T{}; {} {}; nothing orders the two", report.actor[0], report.write[0] ? "wrote" : "read", stack(0)));
    bug.watched = word;
    fail(std::move(bug));
  }
  constexpr std::size_t kRacesMax = 200;
  if (races_.size() >= kRacesMax) return;
  const bool is_known = std::ranges::any_of(races_, [&](const RaceReport& known) {
    return (known.pc[0] == report.pc[0] && known.pc[1] == report.pc[1]) ||
           (known.pc[0] == report.pc[1] && known.pc[1] == report.pc[0]);
  });
  if (is_known) return;
  races_.push_back(report);
  ++findings_;
}

// The last access of each thread, for a race that comes.
void Scheduler::note_watched(AccessKind kind, std::uint64_t pc) {
  const auto actor = static_cast<std::uint32_t>(current->actor);
  const auto known = std::ranges::find_if(watched_accesses_, [&](const WatchedAccess& access) {
    return access.actor == actor && access.write == writes(kind);
  });
  WatchedAccess& access = known != watched_accesses_.end() ? *known : watched_accesses_.emplace_back();
  access = {.actor = actor, .write = writes(kind), .stack = full_stack_of(pc)};
}

std::vector<std::uint64_t> Scheduler::take_new_racy_words() { return std::exchange(racy_, {}); }

}  // namespace ravel::threads
