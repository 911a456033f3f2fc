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
  scheduler().memory().check_memory(object.address, verb, name_of(kind), pc);
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

}  // namespace ravel::threads
