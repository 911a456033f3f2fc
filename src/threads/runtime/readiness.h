// Whether a thread can go on with the operation that it waits before, and in how many ways. It follows from
// the operation alone (thread.h), unless the thread waits in a loop (loop_waits.h).

#pragma once

#include <cstdint>

#include "threads/runtime/sync_object.h"
#include "threads/runtime/thread.h"

namespace ravel::threads {

// How many ways there are, whenever that may be: 0, or alternatives from first_alternative(). REQUIRES: the
// thread waits before an operation.
std::uint32_t ways_of_operation(const Thread& thread);
// REQUIRES: there is a way.
std::uint32_t first_alternative(const Thread& thread);

// What has to be null for an operation to be enabled, in one way (Thread::gate).
[[gnu::always_inline]] inline Thread* const* gate_of(const Operation& operation) {
  static constinit Thread* const nobody = nullptr;
  switch (operation.kind) {
    case OperationKind::kLock:
    case OperationKind::kSpinLock:
    case OperationKind::kReadLock:
    case OperationKind::kOnce: return operation.object == nullptr ? &nobody : &operation.object->owner;
    case OperationKind::kJoin:
      return operation.expires             ? nullptr
             : operation.thread == nullptr ? &nobody
                                           : &operation.thread->until_end;
    case OperationKind::kLibraryWait:
    case OperationKind::kPoll:
    case OperationKind::kChoice: return nullptr;
    default:
      return operation.object == nullptr && operation.thread == nullptr && !operation.expires ? &nobody
                                                                                              : nullptr;
  }
}

}  // namespace ravel::threads
