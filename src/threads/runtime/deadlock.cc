#include "threads/runtime/deadlock.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <algorithm>
#include <string>
#include <vector>

#include "threads/runtime/sync_object.h"

namespace ravel::threads {

namespace {

// The place of a program counter, found by its callers if they are known: it may itself be in a header of the
// system.
std::string place_mark(std::uint64_t pc, const std::vector<std::uint64_t>& stack) {
  return stack.empty() ? fmt::format("$P{:x};", pc) : fmt::format("$P{:x};", fmt::join(stack, ","));
}

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
    case OperationKind::kFutexWoken: return fmt::format("waits for a change of $A{:x};", operation.address);
    default: return fmt::format("waits to lock $A{:x};{}", operation.address, holder_of(operation.object));
  }
}

}  // namespace

RawBug deadlock_of(std::span<Thread* const> threads, bool has_stacks) {
  RawBug bug{.kind = "deadlock", .message = "deadlock: no thread can go on"};
  for (const Thread* const thread : threads) {
    if (thread->state == ThreadState::kEnded) continue;
    const std::vector<std::uint64_t> stack =
        has_stacks ? thread->pending_stack : std::vector<std::uint64_t>();
    bug.details.push_back(fmt::format("$T{}; {} at {}", static_cast<std::uint32_t>(thread->actor),
                                      waits_for(*thread), place_mark(thread->pending.pc, stack)));
  }
  return bug;
}

}  // namespace ravel::threads
