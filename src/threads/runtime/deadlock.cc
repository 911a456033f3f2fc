#include "threads/runtime/deadlock.h"

#include <fmt/format.h>

#include <vector>

#include "threads/runtime/waits.h"

namespace ravel::threads {

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
