// Mutexes and condition variables of pthreads, C11 and GLib.
//
// A mutex's type is read from where the C library keeps it, so that static initialisers work. GLib has its
// own, in code that is not compiled by the wrapper: it takes one that is free by an atomic instruction, which
// nobody sees. Calls of its functions from elsewhere come here; those inside of it are about other mutexes.

#include <errno.h>
#include <fmt/format.h>
#include <pthread.h>
#include <threads.h>

#include <algorithm>
#include <cstring>

#include "threads/runtime/export.h"
#include "threads/runtime/misuse.h"
#include "threads/runtime/object_life.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/virtual_time.h"

namespace ravel::threads {

// Zero is free.
struct GlibMutex {
  std::uint64_t state;
};
struct GlibCondition {
  std::uint64_t state[2];
};

namespace {

constexpr int kRecursive = PTHREAD_MUTEX_RECURSIVE, kErrorCheck = PTHREAD_MUTEX_ERRORCHECK;

int type_of(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 3; }
int type_of(const GlibMutex*) { return PTHREAD_MUTEX_NORMAL; }

void take(SyncObject& object, std::uint32_t count, std::uint64_t pc, bool only_waits) {
  object.owner = current;
  object.count = count;
  object.locked_at = pc;
  scheduler().acquire(object.clock);
  if (only_waits) {
    scheduler().touch_only(object.address, Access::kAcquire);
  } else {
    scheduler().touch(object.address, Access::kWrite);
  }
}

void give_back(SyncObject& object) {
  object.owner = nullptr;
  object.count = 0;
  scheduler().release(object.clock);
  scheduler().begin_epoch(*current);
  scheduler().touch_only(object.address, Access::kRelease);
}

enum class HowToLock : std::uint8_t { kWait, kTry, kTimed };

template <class Mutex>
[[gnu::always_inline]] inline int lock(Mutex* mutex, HowToLock how, std::uint64_t pc,
                                       const timespec* deadline = nullptr) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(mutex, SyncKind::kMutex, "locks", pc);
  // What the owner does with its own mutex is nobody else's business.
  if (object.owner == current && type_of(mutex) == kRecursive) {
    ++object.count;
    if (!current->loop.holds || current->loop.mutex != &object) current->has_only_looked = false;
    return 0;
  }
  if (object.owner == current && type_of(mutex) == kErrorCheck)
    return how == HowToLock::kTry ? EBUSY : EDEADLK;
  const OperationKind kind = how == HowToLock::kWait  ? OperationKind::kLock
                             : how == HowToLock::kTry ? OperationKind::kTryLock
                                                      : OperationKind::kTimedLock;
  const Operation operation{.kind = kind,
                            .expires = how == HowToLock::kTimed,
                            .address = object.address,
                            .object = &object,
                            .pc = pc};
  if (how == HowToLock::kTimed) {
    s.visible_until(operation, until(deadline));
  } else {
    s.visible(operation);
  }
  begin_use(object, SyncKind::kMutex, "locks", pc);
  if (how != HowToLock::kWait) s.loops().note_try(object);
  if (object.owner != nullptr) {
    const int result = how == HowToLock::kTry ? EBUSY : ETIMEDOUT;
    if (s.recording().is_on()) s.recording().record().result = result;
    s.touch(object.address, Access::kRead);
    s.note_failure(object);
    return result;
  }
  take(object, 1, pc, how == HowToLock::kWait && !current->loop.has_waited);
  s.fairness().note_taking(object);
  if (how == HowToLock::kWait) s.loops().note_lock(object);
  return 0;
}

template <class Mutex>
[[gnu::always_inline]] inline int unlock(Mutex* mutex, std::uint64_t pc) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(mutex, SyncKind::kMutex, "unlocks", pc);
  if (object.owner == current && object.count > 1) {
    --object.count;
    if (!current->loop.holds || current->loop.mutex != &object) current->has_only_looked = false;
    return 0;
  }
  if (object.owner != current && type_of(mutex) != 0) return EPERM;
  s.visible({.kind = OperationKind::kUnlock, .address = object.address, .pc = pc});
  begin_use(object, SyncKind::kMutex, "unlocks", pc);
  if (object.owner != current)
    fail_misuse(fmt::format("unlocks mutex $A{:x};, which {}", object.address,
                            object.owner == nullptr ? "is not locked" : "another thread holds"),
                pc);
  s.fairness().note_giving_back(object);
  s.loops().note_unlock(object, object.clock);
  give_back(object);
  return 0;
}

// `deadline`: null to wait as long as it takes.
int wait(const void* condition, const void* mutex, const timespec* deadline, std::uint64_t pc) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(condition, SyncKind::kCondition, "waits on", pc);
  SyncObject& held = object_for(mutex, SyncKind::kMutex, "waits with", pc);
  if (held.owner != current)
    fail_misuse(fmt::format("waits on condition variable $A{:x}; without holding mutex $A{:x};",
                            object.address, held.address),
                pc);
  s.visible({.kind = OperationKind::kWait, .address = object.address, .other = held.address, .pc = pc});
  begin_use(object, SyncKind::kCondition, "waits on", pc);
  begin_use(held, SyncKind::kMutex, "waits with", pc);
  // A thread that has only looked since it gave up waiting, and waits again, has done nothing that others
  // stand back for. And it must not give up again before another one has had the mutex.
  const bool expires = deadline != nullptr;
  const bool is_spurious = !expires && s.configuration().spurious;
  // Where time passes only when no thread can go on, it can't.
  const bool waits_for_others = expires && s.configuration().passes_when_idle;
  if ((expires || is_spurious) && current->spins_before > 0 && !waits_for_others) s.fairness().stand_back();
  const std::uint32_t count = held.count;
  ++held.version;
  give_back(held);
  current->is_woken = false;
  object.waiters.push_back(current);
  s.touch_only(object.address, Access::kWrite);
  const std::uint32_t expired = s.visible_until({.kind = OperationKind::kWake,
                                                 .expires = expires || is_spurious,
                                                 .is_spurious = is_spurious,
                                                 .address = object.address,
                                                 .other = held.address,
                                                 .object = &object,
                                                 .second = &held,
                                                 .pc = pc},
                                                until(deadline));
  s.touch(object.address, Access::kWrite);
  // A thread that was woken needs the condition variable no more.
  if (expired != 0) begin_use(object, SyncKind::kCondition, "waits on", pc);
  begin_use(held, SyncKind::kMutex, "locks", pc);
  take(held, count, pc, false);
  if (expired == 0) return 0;
  std::erase(object.waiters, current);
  if (s.recording().is_on()) s.recording().record().result = expires ? ETIMEDOUT : EINTR;
  pass_time(until(deadline));
  if (!waits_for_others) s.fairness().stand_back();
  return expires ? ETIMEDOUT : 0;
}

int signal(const void* condition, std::uint64_t pc) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(condition, SyncKind::kCondition, "signals", pc);
  const std::uint32_t chosen =
      s.visible({.kind = OperationKind::kSignal, .address = object.address, .object = &object, .pc = pc});
  begin_use(object, SyncKind::kCondition, "signals", pc);
  s.touch(object.address, Access::kWrite);
  if (object.waiters.empty()) {
    s.fairness().note_nothing();
    return 0;
  }
  Thread& woken = *object.waiters[chosen];
  object.waiters.erase(object.waiters.begin() + chosen);
  woken.is_woken = true;
  s.fairness().note_waking();
  if (s.recording().is_on()) s.recording().record().subject = static_cast<std::uint32_t>(woken.actor);
  return 0;
}

int broadcast(const void* condition, std::uint64_t pc) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(condition, SyncKind::kCondition, "signals", pc);
  s.visible({.kind = OperationKind::kBroadcast, .address = object.address, .pc = pc});
  begin_use(object, SyncKind::kCondition, "signals", pc);
  s.touch_only(object.address, Access::kWrite);
  if (s.recording().is_on()) s.recording().record().result = static_cast<std::int64_t>(object.waiters.size());
  if (object.waiters.empty()) {
    s.fairness().note_nothing();
  } else {
    s.fairness().note_waking();
  }
  for (Thread* const waiter : object.waiters) waiter->is_woken = true;
  object.waiters.clear();
  return 0;
}

int destroy(const void* address, SyncKind kind, std::uint64_t pc) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(address, kind, "destroys", pc);
  s.visible({.kind = OperationKind::kDestroy, .address = object.address, .pc = pc});
  s.touch_only(object.address, Access::kWrite);
  begin_use(object, kind, "destroys", pc);
  if (object.owner != nullptr || !object.waiters.empty())
    fail_misuse(fmt::format("destroys {} $A{:x}; while it is in use", name_of(kind), object.address), pc);
  mark_destroyed(object);
  return 0;
}

void initialise(const void* address, SyncKind kind) {
  if (current == nullptr) return;
  SyncObject& object = scheduler().object(address, kind);
  object.kind = kind;
  ++object.version;
  object.owner = nullptr;
  object.count = 0;
  object.is_destroyed = false;
}

int as_c11(int status) {
  switch (status) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    default: return thrd_error;
  }
}

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

}  // namespace

RAVEL_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  int type = PTHREAD_MUTEX_DEFAULT;
  if (attributes != nullptr) pthread_mutexattr_gettype(attributes, &type);
  std::memset(mutex, 0, sizeof *mutex);
  mutex->__data.__kind = type;
  initialise(mutex, SyncKind::kMutex);
  return 0;
}
RAVEL_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  return destroy(mutex, SyncKind::kMutex, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  return lock(mutex, HowToLock::kWait, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  return lock(mutex, HowToLock::kTry, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) noexcept {
  return note_time(lock(mutex, HowToLock::kTimed, RAVEL_CALLER, deadline), deadline);
}
RAVEL_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t,
                                         const timespec* deadline) noexcept {
  return note_time(lock(mutex, HowToLock::kTimed, RAVEL_CALLER, deadline), deadline);
}
RAVEL_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept { return unlock(mutex, RAVEL_CALLER); }

RAVEL_EXPORT int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t*) noexcept {
  std::memset(condition, 0, sizeof *condition);
  initialise(condition, SyncKind::kCondition);
  return 0;
}
RAVEL_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  return destroy(condition, SyncKind::kCondition, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait(condition, mutex, nullptr, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                        const timespec* deadline) {
  return wait(condition, mutex, deadline, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t,
                                        const timespec* deadline) {
  return wait(condition, mutex, deadline, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  return signal(condition, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  return broadcast(condition, RAVEL_CALLER);
}

RAVEL_EXPORT int mtx_init(mtx_t* mutex, int type) {
  pthread_mutex_t& same = *posix(mutex);
  std::memset(&same, 0, sizeof *mutex);
  same.__data.__kind = (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_DEFAULT;
  initialise(mutex, SyncKind::kMutex);
  return thrd_success;
}
RAVEL_EXPORT void mtx_destroy(mtx_t* mutex) { destroy(mutex, SyncKind::kMutex, RAVEL_CALLER); }
RAVEL_EXPORT int mtx_lock(mtx_t* mutex) { return as_c11(lock(posix(mutex), HowToLock::kWait, RAVEL_CALLER)); }
RAVEL_EXPORT int mtx_trylock(mtx_t* mutex) {
  return as_c11(lock(posix(mutex), HowToLock::kTry, RAVEL_CALLER));
}
RAVEL_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  return as_c11(note_time(lock(posix(mutex), HowToLock::kTimed, RAVEL_CALLER, deadline), deadline));
}
RAVEL_EXPORT int mtx_unlock(mtx_t* mutex) { return as_c11(unlock(posix(mutex), RAVEL_CALLER)); }
RAVEL_EXPORT int cnd_init(cnd_t* condition) {
  std::memset(condition, 0, sizeof *condition);
  initialise(condition, SyncKind::kCondition);
  return thrd_success;
}
RAVEL_EXPORT void cnd_destroy(cnd_t* condition) { destroy(condition, SyncKind::kCondition, RAVEL_CALLER); }
RAVEL_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return as_c11(wait(posix(condition), posix(mutex), nullptr, RAVEL_CALLER));
}
RAVEL_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  return as_c11(wait(posix(condition), posix(mutex), deadline, RAVEL_CALLER));
}
RAVEL_EXPORT int cnd_signal(cnd_t* condition) { return as_c11(signal(posix(condition), RAVEL_CALLER)); }
RAVEL_EXPORT int cnd_broadcast(cnd_t* condition) { return as_c11(broadcast(posix(condition), RAVEL_CALLER)); }

RAVEL_EXPORT void g_mutex_init(GlibMutex* mutex) {
  *mutex = {};
  initialise(mutex, SyncKind::kMutex);
}
RAVEL_EXPORT void g_mutex_clear(GlibMutex* mutex) { destroy(mutex, SyncKind::kMutex, RAVEL_CALLER); }
RAVEL_EXPORT void g_mutex_lock(GlibMutex* mutex) { lock(mutex, HowToLock::kWait, RAVEL_CALLER); }
RAVEL_EXPORT int g_mutex_trylock(GlibMutex* mutex) {
  return lock(mutex, HowToLock::kTry, RAVEL_CALLER) == 0 ? 1 : 0;
}
RAVEL_EXPORT void g_mutex_unlock(GlibMutex* mutex) { unlock(mutex, RAVEL_CALLER); }
RAVEL_EXPORT void g_cond_init(GlibCondition* condition) {
  *condition = {};
  initialise(condition, SyncKind::kCondition);
}
RAVEL_EXPORT void g_cond_clear(GlibCondition* condition) {
  destroy(condition, SyncKind::kCondition, RAVEL_CALLER);
}
RAVEL_EXPORT void g_cond_wait(GlibCondition* condition, GlibMutex* mutex) {
  wait(condition, mutex, nullptr, RAVEL_CALLER);
}
// `end`: in microseconds of the monotonic clock.
RAVEL_EXPORT int g_cond_wait_until(GlibCondition* condition, GlibMutex* mutex, std::int64_t end) {
  const timespec deadline{.tv_sec = end / 1'000'000, .tv_nsec = end % 1'000'000 * 1000};
  return wait(condition, mutex, &deadline, RAVEL_CALLER) == 0 ? 1 : 0;
}
RAVEL_EXPORT void g_cond_signal(GlibCondition* condition) { signal(condition, RAVEL_CALLER); }
RAVEL_EXPORT void g_cond_broadcast(GlibCondition* condition) { broadcast(condition, RAVEL_CALLER); }
// Waits inside the library, with a mutex that is locked here.
RAVEL_EXPORT int g_main_context_wait(void*, GlibCondition*, GlibMutex*) {
  refuse_call("g_main_context_wait",
              "inside GLib mutexes are not under control; wait for a condition variable yourself",
              RAVEL_CALLER);
}
RAVEL_EXPORT int g_cond_timed_wait(GlibCondition*, GlibMutex*, void*) {
  refuse_call("g_cond_timed_wait", "it is out of date: g_cond_wait_until() takes its place", RAVEL_CALLER);
}

}  // namespace ravel::threads
