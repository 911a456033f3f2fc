#include "threads/runtime/object_life.h"

#include <fmt/format.h>

#include <utility>

#include "threads/runtime/misuse.h"

namespace ravel::threads {

namespace {

// No object is smaller.
constexpr std::uint32_t kDestroyed = 0xDE57'20ED;

}  // namespace

const char* name_of(SyncKind kind) {
  switch (kind) {
    case SyncKind::kMutex: return "mutex";
    case SyncKind::kCondition: return "condition variable";
    case SyncKind::kReadWrite: return "read-write lock";
    case SyncKind::kSpin: return "spin lock";
    case SyncKind::kBarrier: return "barrier";
    case SyncKind::kSemaphore: return "semaphore";
    case SyncKind::kOnce: return "once flag";
    case SyncKind::kFutex: return "futex";
    default: return "object";
  }
}

void look_closer(SyncObject& object, SyncKind kind, const char* verb, std::uint64_t pc) {
  scheduler().check_memory(object.address, verb, name_of(kind), pc);
  if (!object.is_destroyed) return;
  object.is_destroyed = *reinterpret_cast<const std::uint32_t*>(object.address) == kDestroyed;
  if (object.is_destroyed)
    fail_misuse(fmt::format("{} {} $A{:x}; that was destroyed", verb, name_of(kind), object.address), pc);
}

void mark_destroyed(SyncObject& object) {
  object.is_destroyed = true;
  *reinterpret_cast<std::uint32_t*>(object.address) = kDestroyed;
  ++object.version;
}

// --- the scheduler's part ---

bool Scheduler::is_left_frame(std::uint64_t address) const {
  const Thread* const owner = slots_[(address - kStackBase) / kStackSlotSize].get();
  if (owner == nullptr || owner == current || owner->number == ~0u ||
      address - owner->stack_low >= owner->stack_size)
    return false;
  // The main thread's stack outlives it.
  if (owner->state == ThreadState::kEnded) return owner->slot != 0;
  // It may be on another stack, which it has made itself.
  const auto top = reinterpret_cast<std::uint64_t>(owner->stack);
  return owner->state == ThreadState::kWaiting && top - owner->stack_low < owner->stack_size && address < top;
}

void Scheduler::check_memory(std::uint64_t address, const char* verb, const char* what, std::uint64_t pc) {
  const bool is_freed = shadow_.is_freed(shadow_of(address));
  if (!is_freed && !is_left_stack(address)) return;
  RawBug bug{.kind = "use_after_free", .stack = stack_of(pc)};
  if (is_freed) {
    bug.message = fmt::format("{} {} in freed memory in $F{:x};", verb, what, pc);
    bug.details.push_back(fmt::format("the memory was freed at $P{:x};", heap().freed_at(address)));
  } else {
    const Thread& owner = *slots_[(address - kStackBase) / kStackSlotSize];
    const auto actor = static_cast<std::uint32_t>(owner.actor);
    const bool has_ended = owner.state == ThreadState::kEnded;
    bug.message = fmt::format("{} {} on the stack of a {} in $F{:x};", verb, what,
                              has_ended ? "thread that has ended" : "function that has returned", pc);
    bug.details.push_back(
        has_ended ? fmt::format("$T{}; has ended", actor)
                  : fmt::format("$T{}; has returned from the function whose variable it was", actor));
  }
  fail(std::move(bug));
}

}  // namespace ravel::threads
