#include "threads/runtime/memory_accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "threads/runtime/heap.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// Of larger blocks that are freed only what other threads have accessed is looked at for races.
constexpr std::uint64_t kFreeNotedMax = 4096;

}  // namespace

MemoryAccesses::MemoryAccesses(Scheduler& scheduler, RaceDetector& races)
    : scheduler_(scheduler), races_(races), shadow_(races.shadow()) {}

void MemoryAccesses::configure() {
  const Configuration& configuration = scheduler_.configuration();
  names_blocks_ = configuration.names_blocks || configuration.counts_accesses;
}

void MemoryAccesses::begin_execution() {
  if (scheduler_.configuration().counts_accesses) counts_.begin_execution();
  if (names_blocks_) blocks_.begin_execution();
}

void MemoryAccesses::slow_access(std::uint64_t address, std::uint32_t size, AccessKind kind,
                                 std::uint64_t pc) {
  Thread& self = *current;
  const Configuration& configuration = scheduler_.configuration();
  const std::uint64_t end = address + size;
  const bool is_own_stack = address - self.stack_low < self.stack_size;
  bool is_operation = configuration.accesses == AccessOperations::kAll && !is_own_stack;
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < end; word += 8) {
    const ShadowCell& cell = shadow_of(word);
    if (cell.write == epoch::kTracked) is_operation = true;
    check_freed(cell, word, kind, pc);
  }
  if (!is_own_stack && is_left_stack(address)) [[unlikely]]
    check_memory(address, writes(kind) ? "writes to" : "reads", "memory", pc);
  if (writes(kind) && !is_own_stack && !configuration.by_states) {
    if (size <= kAccessMax) {
      self.note_write(address, size);
    } else {
      self.note_change();
    }
  }
  if (writes(kind) && is_own_stack && self.loop.mutex != nullptr)
    scheduler_.loops().note_stack_write(self, address, size);
  if (ravel_watched_memory.is_only_tracked && !is_operation) return;
  if (writes(kind) && is_own_stack && !configuration.by_states) self.note_overwriting(address, size);
  if (configuration.counts_accesses && !is_own_stack) [[unlikely]] {
    for (std::uint64_t word = address & ~std::uint64_t{7}; word < end; word += 8)
      count_access(word, writes(kind), self.actor, pc);
  }
  if (is_operation) do_operation(address, size, kind, pc);
  races_.note_access(address, size, kind, pc);
}

// Waits for its turn, and says what it touches and whether it only looks.
void MemoryAccesses::do_operation(std::uint64_t address, std::uint32_t size, AccessKind kind,
                                  std::uint64_t pc) {
  const bool is_read = kind == AccessKind::kRead;
  scheduler_.visible({.kind = is_read ? OperationKind::kRead : OperationKind::kWrite,
                      .size = size,
                      .address = address,
                      .pc = pc});
  if (is_left_stack(address)) [[unlikely]]
    check_memory(address, writes(kind) ? "writes to" : "reads", "memory", pc);
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + size; word += 8) {
    scheduler_.touch_only(word, is_read ? Access::kRead : Access::kWrite);
    check_freed(shadow_of(word), word, kind, pc);
  }
  if (is_read) {
    scheduler_.note_look_at_value(address, size, pc);
  } else if (size <= kAccessMax) {
    scheduler_.fairness().note_writing(address, size, pc);
  }
}

// What is in memory is part of a state; the rest is not.
void MemoryAccesses::refuse_outside_state(std::span<const LibraryUse> uses, std::uint64_t pc) {
  for (const LibraryUse& use : uses) {
    if (!use.changes || !is_library_word(use.word)) continue;
    // Which files are open, and where they are read, is (add_descriptors() in descriptor_hooks.cc).
    const bool is_file = use.word >= kContentsBase;
    constexpr std::array kOutside = {LibraryState::kMask, LibraryState::kFolder, LibraryState::kReadiness,
                                     LibraryState::kFolders, LibraryState::kSockets};
    const auto is_it = [&](LibraryState state) { return use.word == library_word(state); };
    if (is_file || std::ranges::any_of(kOutside, is_it))
      refuse_outside_state(*library_state_name(use.word), pc);
  }
}

void MemoryAccesses::refuse_outside_state(const std::string& what, std::uint64_t pc) {
  scheduler_.refuse("the program changes " + what +
                        ", which is no memory of it and so no part of its states; choose another strategy",
                    pc);
}

void MemoryAccesses::use_library(std::span<const LibraryUse> uses, std::uint64_t pc) {
  if (scheduler_.configuration().by_states) [[unlikely]]
    refuse_outside_state(uses, pc);
  const AccessOperations accesses = scheduler_.configuration().accesses;
  const bool all = accesses == AccessOperations::kAll ||
                   (accesses == AccessOperations::kSync && scheduler_.threads().count() > 1);
  const auto is_operation = [&](const LibraryUse& use) {
    return all || shadow_of(use.word).write == epoch::kTracked;
  };
  const auto first = std::ranges::find_if(uses, is_operation);
  if (first != uses.end()) {
    const bool changes =
        std::ranges::any_of(uses, [&](const LibraryUse& use) { return use.changes && is_operation(use); });
    scheduler_.visible({.kind = changes ? OperationKind::kLibraryWrite : OperationKind::kLibraryRead,
                        .size = 8,
                        .address = first->word,
                        .pc = pc});
    for (const LibraryUse& use : uses)
      if (is_operation(use)) scheduler_.touch_only(use.word, use.changes ? Access::kWrite : Access::kRead);
    if (!changes) scheduler_.fairness().note_look(first->word, pc);
  }
  for (const LibraryUse& use : uses) {
    // A stream that was closed.
    check_freed(shadow_of(use.word), use.word, use.changes ? AccessKind::kWrite : AccessKind::kRead, pc);
    races_.note_library_use(use, pc);
  }
}

void MemoryAccesses::look_while_waiting(std::uint64_t address, std::uint32_t size, std::uint64_t pc) {
  scheduler_.visible({.kind = OperationKind::kRead, .size = size, .address = address, .pc = pc});
  scheduler_.touch_only(address & ~std::uint64_t{7}, Access::kRead);
  if (scheduler_.loops().is_on()) scheduler_.loops().note_value(address, size);
  scheduler_.fairness().stand_back();
}

// What is tracked is no race any more; the other order is another trace all the same, so the step touches it.
void MemoryAccesses::note_free(std::uint64_t address, std::uint64_t size, std::uint64_t pc) {
  const std::uint64_t end = address + size;
  const auto is_others = [&](std::uint64_t e) {
    return shadow_.is_noted(e) && epoch::thread_of(e) != current->number;
  };
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < end; word += 8) {
    const ShadowCell& cell = shadow_of(word);
    if (cell.write == epoch::kTracked) {
      // Objects of synchronisation may begin in its middle.
      for (const std::uint64_t object : {word, word + 4}) scheduler_.touch_only(object, Access::kWrite);
    } else if (size <= kFreeNotedMax || is_others(cell.write) || is_others(cell.read)) {
      const auto bytes =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(word + 8, end) - std::max(word, address));
      races_.note_access(std::max(word, address), bytes, AccessKind::kWrite, pc);
    }
  }
  shadow_.mark_freed(address, size);
}

void MemoryAccesses::fail_by_use_after_free(std::uint64_t address, AccessKind kind, std::uint64_t pc) {
  RawBug bug{.kind = "use_after_free",
             .message = fmt::format("{} freed memory in $F{:x};", writes(kind) ? "writes to" : "reads", pc),
             .stack = scheduler_.recording().stack_of(pc)};
  bug.details.push_back(fmt::format("the memory was freed at $P{:x};", heap().freed_at(address)));
  scheduler_.fail(std::move(bug));
}

bool MemoryAccesses::is_left_frame(std::uint64_t address) const {
  const Thread* const owner = scheduler_.threads().at_stack(address);
  if (owner == nullptr || owner == current || owner->number == ~0u ||
      address - owner->stack_low >= owner->stack_size)
    return false;
  // The main thread's stack outlives it.
  if (owner->state == ThreadState::kEnded) return owner->slot != 0;
  // The owner may be on another stack, which it has made itself.
  const auto top = reinterpret_cast<std::uint64_t>(owner->stack);
  return owner->state == ThreadState::kWaiting && top - owner->stack_low < owner->stack_size && address < top;
}

void MemoryAccesses::check_memory(std::uint64_t address, const char* verb, const char* what,
                                  std::uint64_t pc) {
  const bool is_freed = shadow_.is_freed(shadow_of(address));
  if (!is_freed && !is_left_stack(address)) return;
  RawBug bug{.kind = "use_after_free", .stack = scheduler_.recording().stack_of(pc)};
  if (is_freed) {
    bug.message = fmt::format("{} {} in freed memory in $F{:x};", verb, what, pc);
    bug.details.push_back(fmt::format("the memory was freed at $P{:x};", heap().freed_at(address)));
  } else {
    const Thread& owner = *scheduler_.threads().at_stack(address);
    const auto actor = static_cast<std::uint32_t>(owner.actor);
    const bool has_ended = owner.state == ThreadState::kEnded;
    bug.message = fmt::format("{} {} on the stack of a {} in $F{:x};", verb, what,
                              has_ended ? "thread that has ended" : "function that has returned", pc);
    bug.details.push_back(
        has_ended ? fmt::format("$T{}; has ended", actor)
                  : fmt::format("$T{}; has returned from the function whose variable it was", actor));
  }
  scheduler_.fail(std::move(bug));
}

void MemoryAccesses::name_block(void* block, std::uint64_t size, std::uint64_t pc) {
  blocks_.note(reinterpret_cast<std::uint64_t>(block), size, full_stack_of(pc));
}

}  // namespace ravel::threads
