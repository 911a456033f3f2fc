// System calls that a program makes itself: futexes, by which the C++ library waits for atomics, latches,
// semaphores and futures.

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>

#include "threads/runtime/export.h"
#include "threads/runtime/misuse.h"
#include "threads/runtime/object_life.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/system_writes.h"
#include "threads/runtime/virtual_time.h"

namespace ravel::threads {

namespace {

int wait_for_change(int* address, int value, const TimeLimit& limit, std::uint64_t pc) {
  Scheduler& s = scheduler();
  SyncObject& object = object_for(address, SyncKind::kFutex, "waits on", pc);
  s.visible({.kind = OperationKind::kFutexWait, .size = 4, .address = object.address, .pc = pc});
  begin_use(object, SyncKind::kFutex, "waits on", pc);
  s.touch(object.address & ~std::uint64_t{7}, Access::kWrite);
  if (s.recording().is_on()) s.recording().record().before = static_cast<std::uint32_t>(*address);
  if (*address != value) {
    if (s.recording().is_on()) s.recording().record().result = EAGAIN;
    errno = EAGAIN;
    return -1;
  }
  current->is_woken = false;
  object.waiters.push_back(current);
  const std::uint32_t expired = s.visible_until({.kind = OperationKind::kFutexWoken,
                                                 .expires = limit.kind != TimeLimit::Kind::kNone,
                                                 .address = object.address,
                                                 .object = &object,
                                                 .pc = pc},
                                                limit);
  s.touch(object.address & ~std::uint64_t{7}, Access::kWrite);
  if (expired == 0) return 0;
  std::erase(object.waiters, current);
  if (s.recording().is_on()) s.recording().record().result = ETIMEDOUT;
  pass_time(limit);
  s.fairness().stand_back();
  errno = ETIMEDOUT;
  return -1;
}

// The memory may be no more: the C++ library changes an atomic and wakes its waiters then, one of whom may
// have gone on and freed it. Only the address matters.
int wake(int* address, int count, std::uint64_t pc) {
  Scheduler& s = scheduler();
  SyncObject& object = s.object(address, SyncKind::kFutex);
  const std::uint32_t chosen = s.visible({.kind = OperationKind::kFutexWake,
                                          .size = static_cast<std::uint32_t>(count),
                                          .address = object.address,
                                          .object = &object,
                                          .pc = pc});
  s.touch(object.address & ~std::uint64_t{7}, Access::kWrite);
  if (object.waiters.empty()) s.fairness().note_nothing();
  int woken = 0;
  auto next = object.waiters.begin() + (object.waiters.empty() ? 0 : chosen);
  while (woken < count && next != object.waiters.end()) {
    (*next)->is_woken = true;
    if (s.recording().is_on()) s.recording().record().subject = static_cast<std::uint32_t>((*next)->actor);
    next = object.waiters.erase(next);
    s.fairness().note_waking();
    ++woken;
  }
  if (s.recording().is_on()) s.recording().record().result = woken;
  return woken;
}

}  // namespace

RAVEL_EXPORT long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long a[6];
  for (long& argument : a) argument = va_arg(arguments, long);
  va_end(arguments);
  if (current != nullptr && number == SYS_futex) {
    auto* const address = reinterpret_cast<int*>(a[0]);
    const auto value = static_cast<int>(a[2]);
    switch (a[1] & FUTEX_CMD_MASK) {
      case FUTEX_WAIT:
        return wait_for_change(address, value, within(reinterpret_cast<const timespec*>(a[3])), RAVEL_CALLER);
      case FUTEX_WAIT_BITSET:
        return wait_for_change(address, value, until(reinterpret_cast<const timespec*>(a[3])), RAVEL_CALLER);
      case FUTEX_WAKE:
      case FUTEX_WAKE_BITSET: return wake(address, value, RAVEL_CALLER);
      default:
        refuse_call("syscall(SYS_futex)", "of its operations only waiting and waking are under control",
                    RAVEL_CALLER);
    }
  }
  if (current != nullptr && number == SYS_gettid) return 1000 + current->number;
  let_system_write_anywhere(a);
  return real().syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

RAVEL_EXPORT pid_t gettid() noexcept {
  return current == nullptr ? 1000 : 1000 + static_cast<pid_t>(current->number);
}

}  // namespace ravel::threads
