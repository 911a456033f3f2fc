#include "threads/runtime/race_detector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "threads/runtime/harmless_races.h"
#include "threads/runtime/heap.h"
#include "threads/runtime/library_use.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/segment_races.h"

namespace ravel::threads {

namespace {

std::uint8_t bytes_of(std::uint64_t address, std::uint64_t end, std::uint64_t word) {
  const std::uint64_t low = std::max(address, word) - word;
  const std::uint64_t high = std::min(end, word + 8) - word;
  return static_cast<std::uint8_t>((0xFFu >> (8 - (high - low))) << low);
}

// An exception that threads share, as those of futures, is destroyed by the last who has it. The C++ library
// counts these by operations of its own, which nobody sees; so two accesses that seem to be in no order are
// explored in both, and not told.
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

void RaceDetector::configure(const Configuration& configuration) {
  repeats_matter_ = configuration.accesses == AccessOperations::kAll ||
                    configuration.accesses == AccessOperations::kNamed || configuration.counts_accesses;
  for (const std::uint64_t word : configuration.tracked) shadow_.track(word);
}

void RaceDetector::begin_execution() {
  // Above every clock of the last execution.
  ++clock_;
  shadow_.begin_execution(clock_);
  watched_accesses_.clear();
}

void RaceDetector::begin_epoch(Thread& thread) {
  if (collects_) [[unlikely]] {
    thread.own_clock = 0;
    thread.epoch = epoch::make(0, thread.number);
    thread.fast_epoch = epoch::kNone;
    return;
  }
  thread.own_clock = ++clock_;
  thread.clock.set(thread.number, thread.own_clock);
  thread.epoch = epoch::make(thread.own_clock, thread.number);
  thread.fast_epoch = repeats_matter_ ? epoch::kNone : thread.epoch;
}

void RaceDetector::note_access(std::uint64_t address, std::uint32_t size, AccessKind kind, std::uint64_t pc) {
  if (ravel_watched_memory.is_only_tracked) return;
  if (collects_) [[unlikely]]
    return collect(address, size, kind);
  if (scheduler_.loops().is_on()) scheduler_.loops().note_access_to_stacks(address, size);
  const std::uint64_t end = address + size;
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < end; word += 8) {
    ShadowCell& cell = shadow_of(word);
    if (cell.write == epoch::kTracked) continue;
    if (scheduler_.recording().is_on() && word == scheduler_.configuration().watched) [[unlikely]]
      note_watched(kind, pc);
    const auto race =
        shadow_.note(cell, current->epoch, current->clock, bytes_of(address, end, word), kind, pc);
    if (current->ignored_races > 0) [[unlikely]]
      harmless_races.add_access(pc);
    if (race) report_race(*race, std::max(word, address), kind, pc);
  }
}

void RaceDetector::note_library_use(const LibraryUse& use, std::uint64_t pc) {
  if (scheduler_.loops().is_on()) scheduler_.loops().note_access_to_stacks(use.word, 8);
  ShadowCell& cell = shadow_of(use.word);
  if (cell.write == epoch::kTracked || ravel_watched_memory.is_only_tracked) return;
  const AccessKind kind = use.changes ? AccessKind::kWrite : AccessKind::kRead;
  if (collects_) [[unlikely]]
    return collect(use.word, 8, kind);
  const auto race = shadow_.note(cell, current->epoch, current->clock, 0xFF, kind, pc);
  if (!race) return;
  if (is_library_word(use.word) && !is_kept_by_library(use.word)) {
    report_race(*race, use.word, kind, pc);
  } else {
    scheduler_.discoveries().add_racy_word(use.word);
  }
}

void RaceDetector::collect(std::uint64_t address, std::uint32_t size, AccessKind kind) {
  Thread& self = *current;
  const bool is_own_stack = address - self.stack_low < self.stack_size;
  if (!is_own_stack && address - kStackBase < kStackSlotSize * kSlotsMax) are_stacks_shared_ = true;
  if (is_own_stack && !are_stacks_shared_) return;
  const std::uint64_t end = address + size;
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < end; word += 8) {
    if (shadow_of(word).write == epoch::kTracked) continue;
    add_to_segment(self.segment, {.word = word,
                                  .bytes = bytes_of(address, end, word),
                                  .writes = writes(kind),
                                  .is_atomic = is_atomic(kind)});
  }
}

void RaceDetector::report_race(const Shadow::Race& race, std::uint64_t address, AccessKind kind,
                               std::uint64_t pc) {
  const Configuration& configuration = scheduler_.configuration();
  // The shadow has the low half of the other program counter only; code lies in the same 4 GB, or in
  // libraries.
  std::uint64_t other_pc = (pc & ~std::uint64_t{0xFFFFFFFF}) | race.pc;
  const std::uint64_t word = address & ~std::uint64_t{7};
  if (current->ignored_races > 0 || harmless_races.contains_access(static_cast<std::uint32_t>(race.pc)) ||
      harmless_races.contains_memory(address) || is_exception(address)) {
    scheduler_.discoveries().add_racy_word(word);
    return;
  }
  // Where a race is a bug the word stays as it is: among the operations it would race no more.
  if (!configuration.races_are_bugs) scheduler_.discoveries().add_racy_word(word);
  const Thread& other = scheduler_.threads().numbered(race.thread);
  RaceReport report{
      .address = address,
      .pc = {other_pc, pc},
      .stack = {{other_pc}, {pc}},
      .actor = {static_cast<std::uint32_t>(other.actor), static_cast<std::uint32_t>(current->actor)},
      .write = {race.write, writes(kind)}};
  for (const WatchedAccess& access : watched_accesses_) {
    for (int side = 0; side < 2; ++side)
      if (access.actor == report.actor[side] && access.write == report.write[side])
        report.stack[side] = access.stack;
  }
  if (scheduler_.recording().is_on())
    report.on_stack = scheduler_.recording().stack_place_of(address, StepRecording::As::kNow);
  if (configuration.races_are_bugs) fail_by_race(report, pc);
  scheduler_.discoveries().add_race(report);
}

void RaceDetector::fail_by_race(const RaceReport& report, std::uint64_t pc) {
  RawBug bug{.kind = "data_race",
             .message = fmt::format("data race on $A{:x};", report.address),
             .stack = scheduler_.recording().stack_of(pc)};
  const auto stack = [&](int side) { return fmt::format("$S{:x};", fmt::join(report.stack[side], ",")); };
  bug.details.push_back(
      fmt::format("$T{}; {} {}", report.actor[1], report.write[1] ? "writes" : "reads", stack(1)));
  bug.details.push_back(fmt::format("$T{}; {} {}; nothing orders the two", report.actor[0],
                                    report.write[0] ? "wrote" : "read", stack(0)));
  bug.watched = report.address & ~std::uint64_t{7};
  scheduler_.fail(std::move(bug));
}

// The last access of each thread, for a race that comes.
void RaceDetector::note_watched(AccessKind kind, std::uint64_t pc) {
  const auto actor = static_cast<std::uint32_t>(current->actor);
  const auto known = std::ranges::find_if(watched_accesses_, [&](const WatchedAccess& access) {
    return access.actor == actor && access.write == writes(kind);
  });
  WatchedAccess& access = known != watched_accesses_.end() ? *known : watched_accesses_.emplace_back();
  access = {.actor = actor, .write = writes(kind), .stack = full_stack_of(pc)};
}

}  // namespace ravel::threads
