// pthread_create() and its family.

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <threads.h>
#include <unwind.h>

#include <cstring>

#include "threads/runtime/check_failed.h"
#include "threads/runtime/constructors.h"
#include "threads/runtime/export.h"
#include "threads/runtime/misuse.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/virtual_time.h"

namespace ravel::threads {

namespace {

constexpr const char kTooEarly[] =
    "a constructor of a library makes a thread when the library is loaded, which is not under control; make "
    "it in main() or later.";

template <class Start>
int create(pthread_t* thread, bool is_detached, Start start, void* argument, std::uint64_t pc) {
  if (current == nullptr) {
    leave_constructors_to_executions();
    refuse_to_start(kTooEarly);
  }
  Scheduler& s = scheduler();
  s.visible({.kind = OperationKind::kCreate, .other = reinterpret_cast<std::uint64_t>(start), .pc = pc});
  Thread* made;
  if constexpr (std::is_same_v<Start, int (*)(void*)>) {
    made = &s.create(nullptr, start, argument, is_detached, pc);
  } else {
    made = &s.create(start, nullptr, argument, is_detached, pc);
  }
  *thread = made->place.fs();
  return 0;
}

int join(pthread_t id, void** result, const TimeLimit& limit, std::uint64_t pc) {
  Scheduler& s = scheduler();
  Thread* const thread = s.threads().find(id);
  if (thread == nullptr) fail_misuse("joins a thread that does not exist", pc);
  if (thread == current) return EDEADLK;
  if (thread->is_detached) fail_misuse("joins a detached thread", pc);
  const bool expires = limit.kind != TimeLimit::Kind::kNone;
  const std::uint32_t timed_out =
      s.visible_until({.kind = OperationKind::kJoin, .expires = expires, .thread = thread, .pc = pc}, limit);
  if (thread->is_joined) fail_misuse("joins a thread that was joined before", pc);
  if (s.recording().is_on()) s.recording().record().subject = static_cast<std::uint32_t>(thread->actor);
  if (expires) {
    s.touch(object_of(*thread), timed_out != 0 ? Access::kRead : Access::kWrite);
  } else {
    s.touch_only(object_of(*thread), Access::kAcquire);
  }
  if (timed_out != 0) {
    s.fairness().stand_back();
    return ETIMEDOUT;
  }
  s.acquire(thread->clock);
  s.note_joined();
  thread->is_joined = true;
  if (result != nullptr) *result = thread->result;
  return 0;
}

_Unwind_Reason_Code stop_at_end(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                _Unwind_Context*, void* result) {
  if ((actions & _UA_END_OF_STACK) != 0) scheduler().end_thread(result);
  return _URC_NO_REASON;
}

// Runs the destructors of all frames, as the C library does, if the program has an unwinder.
[[noreturn]] void exit_thread(void* result) {
  using Unwind = _Unwind_Reason_Code (*)(_Unwind_Exception*, _Unwind_Stop_Fn, void*);
  static const auto unwind = reinterpret_cast<Unwind>(dlsym(RTLD_DEFAULT, "_Unwind_ForcedUnwind"));
  if (unwind != nullptr) {
    auto* const exception = static_cast<_Unwind_Exception*>(__builtin_alloca(sizeof(_Unwind_Exception)));
    std::memset(exception, 0, sizeof *exception);
    unwind(exception, stop_at_end, result);
  }
  scheduler().end_thread(result);
}

}  // namespace

RAVEL_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                                void* argument) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
  return create(thread, state == PTHREAD_CREATE_DETACHED, start, argument, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_join(pthread_t thread, void** result) {
  return join(thread, result, {}, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* deadline) {
  return note_time(join(thread, result, until(deadline), RAVEL_CALLER), deadline);
}
RAVEL_EXPORT int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t, const timespec* deadline) {
  return note_time(join(thread, result, until(deadline), RAVEL_CALLER), deadline);
}
RAVEL_EXPORT int pthread_tryjoin_np(pthread_t id, void** result) {
  const int status = join(id, result, {.kind = TimeLimit::Kind::kTries}, RAVEL_CALLER);
  return status == ETIMEDOUT ? EBUSY : status;
}

RAVEL_EXPORT int pthread_detach(pthread_t id) {
  Scheduler& s = scheduler();
  Thread* const thread = s.threads().find(id);
  if (thread == nullptr) fail_misuse("detaches a thread that does not exist", RAVEL_CALLER);
  if (thread->is_joined) fail_misuse("detaches a thread that was joined before", RAVEL_CALLER);
  thread->is_detached = true;
  return 0;
}

RAVEL_EXPORT void pthread_exit(void* result) { exit_thread(result); }

RAVEL_EXPORT int pthread_cancel(pthread_t) {
  refuse_call("pthread_cancel",
              "asynchronous cancellation is not under control; let the thread ask a flag instead",
              RAVEL_CALLER);
}

RAVEL_EXPORT int sched_yield() {
  if (current == nullptr) return 0;
  scheduler().visible({.kind = OperationKind::kYield, .pc = RAVEL_CALLER});
  current->has_only_looked = true;
  scheduler().fairness().stand_back();
  return 0;
}
RAVEL_EXPORT int pthread_yield() __attribute__((alias("sched_yield")));

RAVEL_EXPORT int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  return create(thread, false, static_cast<int (*)(void*)>(start), argument, RAVEL_CALLER) == 0 ? thrd_success
                                                                                                : thrd_error;
}
RAVEL_EXPORT int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  const int status = join(thread, &value, {}, RAVEL_CALLER);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return status == 0 ? thrd_success : thrd_error;
}
RAVEL_EXPORT int thrd_detach(thrd_t thread) {
  return pthread_detach(thread) == 0 ? thrd_success : thrd_error;
}
RAVEL_EXPORT void thrd_exit(int result) {
  exit_thread(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}
RAVEL_EXPORT void thrd_yield() { sched_yield(); }

}  // namespace ravel::threads
