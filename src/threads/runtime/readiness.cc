#include "threads/runtime/readiness.h"

#include <algorithm>

#include "threads/runtime/open_files.h"

namespace ravel::threads {

std::uint32_t ways_of_operation(const Thread& thread) {
  const Operation& operation = thread.pending;
  const SyncObject* const object = operation.object;
  switch (operation.kind) {
    case OperationKind::kLock:
    case OperationKind::kSpinLock:
    case OperationKind::kReadLock:
    case OperationKind::kOnce: return object == nullptr || object->owner == nullptr;
    case OperationKind::kTimedLock:
    case OperationKind::kTimedReadLock:
    case OperationKind::kTimedWriteLock:
    case OperationKind::kSemaphoreTimedWait: return 1;
    case OperationKind::kWriteLock:
      return object == nullptr || (object->owner == nullptr && object->readers.empty());
    case OperationKind::kWake:
      return (thread.is_woken || operation.expires) &&
             (operation.second == nullptr || operation.second->owner == nullptr);
    case OperationKind::kFutexWoken: return thread.is_woken || operation.expires;
    case OperationKind::kJoin:
      return operation.thread == nullptr || operation.thread->state == ThreadState::kEnded ||
             operation.expires;
    case OperationKind::kBarrierLeave: return object->generation != operation.size;
    case OperationKind::kLibraryWait:
      return is_ready(static_cast<int>(operation.other), static_cast<short>(operation.size));
    case OperationKind::kPoll:
      return operation.expires || is_ready(*reinterpret_cast<const Polled*>(operation.other));
    case OperationKind::kSemaphoreWait: return object->count > 0;
    case OperationKind::kSignal:
      return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(object->waiters.size()));
    case OperationKind::kAtomicUpdate: return operation.expires ? 2 : 1;
    case OperationKind::kChoice: return operation.size;
    case OperationKind::kFutexWake:
      return operation.size == 1
                 ? std::max<std::uint32_t>(1, static_cast<std::uint32_t>(object->waiters.size()))
                 : 1;
    default: return 1;
  }
}

std::uint32_t first_alternative(const Thread& thread) {
  const Operation& operation = thread.pending;
  const SyncObject* const object = operation.object;
  switch (operation.kind) {
    case OperationKind::kTimedLock:
    case OperationKind::kTimedReadLock: return object != nullptr && object->owner != nullptr;
    case OperationKind::kTimedWriteLock:
      return object != nullptr && (object->owner != nullptr || !object->readers.empty());
    case OperationKind::kSemaphoreTimedWait: return object->count == 0;
    case OperationKind::kWake:
    case OperationKind::kFutexWoken: return !thread.is_woken;
    case OperationKind::kJoin:
      return operation.thread != nullptr && operation.thread->state != ThreadState::kEnded;
    case OperationKind::kPoll: return !is_ready(*reinterpret_cast<const Polled*>(operation.other));
    default: return 0;
  }
}

}  // namespace ravel::threads
