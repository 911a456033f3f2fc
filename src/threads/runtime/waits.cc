#include "threads/runtime/waits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <algorithm>

#include "threads/runtime/sync_object.h"

namespace ravel::threads {

std::string place_mark(std::uint64_t pc, const std::vector<std::uint64_t>& stack) {
  return stack.empty() ? fmt::format("$P{:x};", pc) : fmt::format("$P{:x};", fmt::join(stack, ","));
}

namespace {

std::string holder_of(const SyncObject* object) {
  if (object == nullptr || object->owner == nullptr) return {};
  return fmt::format(", held by $T{}; since {},", static_cast<std::uint32_t>(object->owner->actor),
                     place_mark(object->locked_at, object->locked_stack));
}

std::string waits_in_loop(const WaitingLoop& loop) {
  std::vector<std::string> words;
  for (std::size_t i = loop.first_read; i < loop.reads.size(); ++i) {
    words.push_back(fmt::format("$A{:x};", loop.reads[i].address));
    if (std::ranges::count(words, words.back()) > 1) words.pop_back();
  }
  return fmt::format("waits in a loop for a change of {}", fmt::join(words, ", "));
}

}  // namespace

std::string waits_for(const Thread& thread) {
  if (thread.loop.waits) return waits_in_loop(thread.loop);
  const Operation& operation = thread.pending;
  switch (operation.kind) {
    case OperationKind::kJoin:
      return fmt::format("waits for the end of $T{};", static_cast<std::uint32_t>(operation.thread->actor));
    case OperationKind::kWake:
      return thread.is_woken
                 ? fmt::format("waits to lock $A{:x}; again{}", operation.other, holder_of(operation.second))
                 : fmt::format("waits for a signal of condition variable $A{:x};", operation.address);
    case OperationKind::kSemaphoreWait:
    case OperationKind::kSemaphoreTimedWait:
      return fmt::format("waits for semaphore $A{:x};", operation.address);
    case OperationKind::kBarrierLeave: return fmt::format("waits at barrier $A{:x};", operation.address);
    case OperationKind::kLibraryWait:
      return fmt::format("waits to {} $A{:x};", operation.size == POLLIN ? "read from" : "write to",
                         operation.address);
    case OperationKind::kPoll: return "waits until one of its open files is ready";
    case OperationKind::kSleep: return "sleeps";
    case OperationKind::kFutexWoken: return fmt::format("waits for a change of $A{:x};", operation.address);
    default: return fmt::format("waits to lock $A{:x};{}", operation.address, holder_of(operation.object));
  }
}

std::vector<const Thread*> waited_for_by(const Thread& thread) {
  if (thread.loop.waits) return {};
  const Operation& operation = thread.pending;
  if (operation.kind == OperationKind::kJoin && operation.thread != nullptr) return {operation.thread};
  // A thread that was woken waits for the mutex; before that for whoever wakes it, which is not known.
  const bool is_wake = operation.kind == OperationKind::kWake;
  const SyncObject* const object = !is_wake ? operation.object : thread.is_woken ? operation.second : nullptr;
  if (object == nullptr) return {};
  if (object->owner != nullptr) return {object->owner};
  return {object->readers.begin(), object->readers.end()};
}

}  // namespace ravel::threads
