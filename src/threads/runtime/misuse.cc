#include "threads/runtime/misuse.h"

#include <fmt/format.h>

#include <utility>

#include "threads/runtime/scheduler.h"

namespace ravel::threads {

void fail_misuse(std::string what, std::uint64_t pc) {
  Scheduler& s = scheduler();
  s.fail({.kind = "misuse",
          .message = std::move(what) + fmt::format(" in $F{:x};", pc),
          .stack = s.recording().stack_of(pc)});
}

void refuse_call(const char* function, const char* why, std::uint64_t pc) {
  scheduler().refuse(fmt::format("{}: {}", function, why), pc);
}

}  // namespace ravel::threads
