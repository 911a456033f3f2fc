// Read-write locks, spin locks, barriers and semaphores.

#include <errno.h>
#include <fmt/format.h>
#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <cstring>

#include "threads/runtime/export.h"
#include "threads/runtime/misuse.h"
#include "threads/runtime/object_life.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/virtual_time.h"

namespace ravel::threads {

namespace {

// --- read-write locks: a writer learns from all before it, a reader from writers only ---

bool reads(const SyncObject& object, const Thread* thread) {
  return std::ranges::find(object.readers, thread) != object.readers.end();
}

int read_lock(pthread_rwlock_t* lock, OperationKind kind, std::uint64_t pc,
              const timespec* deadline = nullptr) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(lock, SyncKind::kReadWrite, "locks", pc);
  if (object.owner == current) return kind == OperationKind::kTryReadLock ? EBUSY : EDEADLK;
  s.visible_until({.kind = kind, .address = object.address, .object = &object, .pc = pc}, until(deadline));
  begin_use(object, SyncKind::kReadWrite, "locks", pc);
  if (kind != OperationKind::kReadLock) s.loops().note_try(object);
  if (object.owner != nullptr) {
    s.touch(object.address, Access::kRead);
    s.note_failure(object);
    const int result = kind == OperationKind::kTryReadLock ? EBUSY : ETIMEDOUT;
    if (s.recording().is_on()) s.recording().record().result = result;
    return result;
  }
  s.fairness().note_taking(object);
  object.readers.push_back(current);
  object.locked_at = pc;
  s.acquire(object.clock);
  s.touch(object.address, Access::kWrite);
  if (kind == OperationKind::kReadLock) s.loops().note_lock(object);
  return 0;
}

int write_lock(pthread_rwlock_t* lock, OperationKind kind, std::uint64_t pc,
               const timespec* deadline = nullptr) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(lock, SyncKind::kReadWrite, "locks", pc);
  if (object.owner == current) return kind == OperationKind::kTryWriteLock ? EBUSY : EDEADLK;
  s.visible_until({.kind = kind, .address = object.address, .object = &object, .pc = pc}, until(deadline));
  begin_use(object, SyncKind::kReadWrite, "locks", pc);
  if (kind != OperationKind::kWriteLock) s.loops().note_try(object);
  if (object.owner != nullptr || !object.readers.empty()) {
    s.touch(object.address, Access::kRead);
    s.note_failure(object);
    const int result = kind == OperationKind::kTryWriteLock ? EBUSY : ETIMEDOUT;
    if (s.recording().is_on()) s.recording().record().result = result;
    return result;
  }
  s.fairness().note_taking(object);
  object.owner = current;
  object.locked_at = pc;
  s.acquire(object.clock);
  s.acquire(object.readers_clock);
  s.touch(object.address, Access::kWrite);
  if (kind == OperationKind::kWriteLock) s.loops().note_lock(object);
  return 0;
}

int unlock(pthread_rwlock_t* lock, std::uint64_t pc) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(lock, SyncKind::kReadWrite, "unlocks", pc);
  s.visible({.kind = OperationKind::kUnlockShared, .address = object.address, .pc = pc});
  begin_use(object, SyncKind::kReadWrite, "unlocks", pc);
  s.touch_only(object.address, Access::kWrite);
  s.fairness().note_giving_back(object);
  if (object.owner == current) {
    object.owner = nullptr;
    s.loops().note_unlock(object, object.clock);
    s.release(object.clock);
  } else if (reads(object, current)) {
    object.readers.erase(std::ranges::find(object.readers, current));
    s.loops().note_unlock(object, object.readers_clock);
    s.release(object.readers_clock);
  } else {
    fail_misuse(fmt::format("unlocks read-write lock $A{:x};, which it does not hold", object.address), pc);
  }
  s.begin_epoch(*current);
  return 0;
}

// --- spin locks ---

std::uint64_t address_of(pthread_spinlock_t* lock) { return reinterpret_cast<std::uint64_t>(lock); }
SyncObject& spin_at(pthread_spinlock_t* lock, const char* verb, std::uint64_t pc) {
  return object_for(reinterpret_cast<const void*>(address_of(lock)), SyncKind::kSpin, verb, pc);
}

int spin_lock(pthread_spinlock_t* lock, OperationKind kind, std::uint64_t pc) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = spin_at(lock, "locks", pc);
  s.visible({.kind = kind, .address = object.address, .object = &object, .pc = pc});
  begin_use(object, SyncKind::kSpin, "locks", pc);
  if (kind != OperationKind::kSpinLock) s.loops().note_try(object);
  if (object.owner != nullptr) {
    s.touch(object.address, Access::kRead);
    s.note_failure(object);
    if (s.recording().is_on()) s.recording().record().result = EBUSY;
    return EBUSY;
  }
  s.fairness().note_taking(object);
  object.owner = current;
  object.locked_at = pc;
  s.acquire(object.clock);
  if (kind == OperationKind::kSpinLock && !current->loop.has_waited) {
    s.touch_only(object.address, Access::kAcquire);
  } else {
    s.touch(object.address, Access::kWrite);
  }
  if (kind == OperationKind::kSpinLock) s.loops().note_lock(object);
  return 0;
}

// Together with the operation before it, so that it is none itself.
void destroy_here(const void* address, SyncKind kind, std::uint64_t pc) {
  SyncObject& object = object_for(address, kind, "destroys", pc);
  scheduler().touch_only(object.address, Access::kWrite);
  begin_use(object, kind, "destroys", pc);
  if (kind == SyncKind::kBarrier && object.count != 0)
    fail_misuse(fmt::format("destroys barrier $A{:x}; while threads wait at it", object.address), pc);
  if (kind == SyncKind::kSpin && object.owner != nullptr)
    fail_misuse(fmt::format("destroys spin lock $A{:x}; while it is held", object.address), pc);
  mark_destroyed(object);
}
// Makes an object, also where another one was destroyed.
void make(const void* address, SyncKind kind) {
  if (current == nullptr) return;
  SyncObject& object = scheduler().object(address, kind);
  object.kind = kind;
  object.is_destroyed = false;
}

// --- semaphores: the value lives where the C library has it ---

std::uint32_t& value_of(sem_t* semaphore) { return *reinterpret_cast<std::uint32_t*>(semaphore); }

int semaphore_wait(sem_t* semaphore, OperationKind kind, std::uint64_t pc,
                   const timespec* deadline = nullptr) {
  if (current == nullptr) return --value_of(semaphore), 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(semaphore, SyncKind::kSemaphore, "waits for", pc);
  object.count = value_of(semaphore);
  s.visible_until({.kind = kind, .address = object.address, .object = &object, .pc = pc}, until(deadline));
  begin_use(object, SyncKind::kSemaphore, "waits for", pc);
  if (object.count == 0) {
    s.touch(object.address, Access::kRead);
    s.note_failure(object);
    errno = kind == OperationKind::kSemaphoreTry ? EAGAIN : ETIMEDOUT;
    if (s.recording().is_on()) s.recording().record().result = errno;
    note_time(errno, deadline);
    return -1;
  }
  s.fairness().note_taking(object);
  value_of(semaphore) = --object.count;
  s.acquire(object.clock);
  s.touch(object.address, Access::kWrite);
  if (s.recording().is_on()) s.recording().record().after = object.count;
  return 0;
}

}  // namespace

RAVEL_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t*) noexcept {
  std::memset(lock, 0, sizeof *lock);
  make(lock, SyncKind::kReadWrite);
  return 0;
}
RAVEL_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  if (current == nullptr) return 0;
  SyncObject& object = object_for(lock, SyncKind::kReadWrite, "destroys", RAVEL_CALLER);
  scheduler().visible({.kind = OperationKind::kDestroy, .address = object.address, .pc = RAVEL_CALLER});
  scheduler().touch_only(object.address, Access::kWrite);
  begin_use(object, SyncKind::kReadWrite, "destroys", RAVEL_CALLER);
  if (object.owner != nullptr || !object.readers.empty())
    fail_misuse(fmt::format("destroys read-write lock $A{:x}; while it is held", object.address),
                RAVEL_CALLER);
  mark_destroyed(object);
  return 0;
}
RAVEL_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  return read_lock(lock, OperationKind::kReadLock, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  return read_lock(lock, OperationKind::kTryReadLock, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* deadline) noexcept {
  return note_time(read_lock(lock, OperationKind::kTimedReadLock, RAVEL_CALLER, deadline), deadline);
}
RAVEL_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t,
                                            const timespec* deadline) noexcept {
  return note_time(read_lock(lock, OperationKind::kTimedReadLock, RAVEL_CALLER, deadline), deadline);
}
RAVEL_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  return write_lock(lock, OperationKind::kWriteLock, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  return write_lock(lock, OperationKind::kTryWriteLock, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* deadline) noexcept {
  return note_time(write_lock(lock, OperationKind::kTimedWriteLock, RAVEL_CALLER, deadline), deadline);
}
RAVEL_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t,
                                            const timespec* deadline) noexcept {
  return note_time(write_lock(lock, OperationKind::kTimedWriteLock, RAVEL_CALLER, deadline), deadline);
}
RAVEL_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept { return unlock(lock, RAVEL_CALLER); }

RAVEL_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int) noexcept {
  *lock = 0;
  make(reinterpret_cast<const void*>(address_of(lock)), SyncKind::kSpin);
  return 0;
}
RAVEL_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  if (current != nullptr)
    destroy_here(reinterpret_cast<const void*>(address_of(lock)), SyncKind::kSpin, RAVEL_CALLER);
  return 0;
}
RAVEL_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  return spin_lock(lock, OperationKind::kSpinLock, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  return spin_lock(lock, OperationKind::kTrySpinLock, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = spin_at(lock, "unlocks", RAVEL_CALLER);
  s.visible({.kind = OperationKind::kSpinUnlock, .address = object.address, .pc = RAVEL_CALLER});
  begin_use(object, SyncKind::kSpin, "unlocks", RAVEL_CALLER);
  if (object.owner != current)
    fail_misuse(fmt::format("unlocks spin lock $A{:x};, which it does not hold", object.address),
                RAVEL_CALLER);
  s.fairness().note_giving_back(object);
  s.loops().note_unlock(object, object.clock);
  object.owner = nullptr;
  s.release(object.clock);
  s.begin_epoch(*current);
  s.touch_only(object.address, Access::kRelease);
  return 0;
}

RAVEL_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t*,
                                      unsigned count) noexcept {
  if (count == 0) return EINVAL;
  std::memset(barrier, 0, sizeof *barrier);
  *reinterpret_cast<unsigned*>(barrier) = count;
  make(barrier, SyncKind::kBarrier);
  return 0;
}
RAVEL_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (current == nullptr) return 0;
  destroy_here(barrier, SyncKind::kBarrier, RAVEL_CALLER);
  return 0;
}
RAVEL_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(barrier, SyncKind::kBarrier, "waits at", RAVEL_CALLER);
  s.visible({.kind = OperationKind::kBarrierArrive, .address = object.address, .pc = RAVEL_CALLER});
  begin_use(object, SyncKind::kBarrier, "waits at", RAVEL_CALLER);
  s.touch_only(object.address, Access::kWrite);
  s.release(object.clock);
  s.begin_epoch(*current);
  if (++object.count == *reinterpret_cast<unsigned*>(barrier)) {
    object.count = 0;
    ++object.generation;
    s.acquire(object.clock);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  s.visible({.kind = OperationKind::kBarrierLeave,
             .size = object.generation,
             .address = object.address,
             .object = &object,
             .pc = RAVEL_CALLER});
  // A thread that destroys the barrier waits until all have left it; one that frees it does not.
  if (!object.is_destroyed) check_is_there(object, SyncKind::kBarrier, "waits at", RAVEL_CALLER);
  s.touch(object.address, Access::kRead);
  s.acquire(object.clock);
  return 0;
}

RAVEL_EXPORT int sem_init(sem_t* semaphore, int, unsigned value) noexcept {
  std::memset(semaphore, 0, sizeof *semaphore);
  value_of(semaphore) = value;
  make(semaphore, SyncKind::kSemaphore);
  return 0;
}
RAVEL_EXPORT int sem_destroy(sem_t* semaphore) noexcept {
  if (current != nullptr) destroy_here(semaphore, SyncKind::kSemaphore, RAVEL_CALLER);
  return 0;
}
RAVEL_EXPORT int sem_wait(sem_t* semaphore) {
  return semaphore_wait(semaphore, OperationKind::kSemaphoreWait, RAVEL_CALLER);
}
RAVEL_EXPORT int sem_trywait(sem_t* semaphore) noexcept {
  return semaphore_wait(semaphore, OperationKind::kSemaphoreTry, RAVEL_CALLER);
}
RAVEL_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  return semaphore_wait(semaphore, OperationKind::kSemaphoreTimedWait, RAVEL_CALLER, deadline);
}
RAVEL_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t, const timespec* deadline) {
  return semaphore_wait(semaphore, OperationKind::kSemaphoreTimedWait, RAVEL_CALLER, deadline);
}
RAVEL_EXPORT int sem_post(sem_t* semaphore) noexcept {
  if (current == nullptr) return ++value_of(semaphore), 0;
  Scheduler& s = scheduler();
  SyncObject& object = object_for(semaphore, SyncKind::kSemaphore, "posts", RAVEL_CALLER);
  s.visible({.kind = OperationKind::kSemaphorePost, .address = object.address, .pc = RAVEL_CALLER});
  begin_use(object, SyncKind::kSemaphore, "posts", RAVEL_CALLER);
  s.fairness().note_giving_back(object);
  object.count = ++value_of(semaphore);
  s.release(object.clock);
  s.begin_epoch(*current);
  s.touch_only(object.address, Access::kWrite);
  if (s.recording().is_on()) s.recording().record().after = object.count;
  return 0;
}
RAVEL_EXPORT int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  if (current != nullptr) {
    Scheduler& s = scheduler();
    SyncObject& object = object_for(semaphore, SyncKind::kSemaphore, "reads", RAVEL_CALLER);
    s.visible({.kind = OperationKind::kSemaphoreRead, .address = object.address, .pc = RAVEL_CALLER});
    begin_use(object, SyncKind::kSemaphore, "reads", RAVEL_CALLER);
    s.touch_only(object.address, Access::kRead);
    s.fairness().note_look(object.address, RAVEL_CALLER);
    if (s.recording().is_on()) s.recording().record().after = value_of(semaphore);
  }
  *value = static_cast<int>(value_of(semaphore));
  return 0;
}
RAVEL_EXPORT sem_t* sem_open(const char*, int, ...) noexcept {
  refuse_call("sem_open", "a named semaphore belongs to several processes; use sem_init", RAVEL_CALLER);
}

}  // namespace ravel::threads
