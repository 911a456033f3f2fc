// What runs once, what each thread has of its own, and what runs at a thread's end.

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <threads.h>

#include <algorithm>
#include <array>

#include "base/wide_hash.h"
#include "threads/runtime/export.h"
#include "threads/runtime/misuse.h"
#include "threads/runtime/object_life.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// As the C library marks a control that is done.
constexpr int kDone = 2;

void announce(SyncObject& object, std::uint64_t pc) {
  Scheduler& s = scheduler();
  if (s.is_alone_and_quiet()) {
    object.owner = nullptr;
    s.release(object.clock);
    return;
  }
  s.visible({.kind = OperationKind::kOnceDone, .address = object.address, .pc = pc});
  s.touch_only(object.address, Access::kWrite);
  object.owner = nullptr;
  s.release(object.clock);
  s.begin_epoch(*current);
}

// If the function throws it is not done, and the next caller runs it again: after this one, whose end it
// knows.
struct Running {
  SyncObject* object;
  std::uint64_t pc;
  ~Running() {
    if (object != nullptr) announce(*object, pc);
  }
};

// What is done stays done in this execution, so that coming to it is no operation, though the step that does
// it depends on who has done it. Libraries do so all the time, as streams with the classic locale.
bool is_done_already(const SyncObject& object, bool is_done) {
  Scheduler& s = scheduler();
  s.touch(object.address, Access::kRead);
  if (is_done) s.acquire(object.clock);
  return is_done;
}

int call_once_with(int* control, void (*function)(), std::uint64_t pc) {
  if (current == nullptr) {
    if (*control != kDone) function();
    *control = kDone;
    return 0;
  }
  Scheduler& s = scheduler();
  SyncObject& object = object_for(control, SyncKind::kOnce, "runs", pc);
  if (is_done_already(object, *control == kDone)) return 0;
  if (object.owner == current) fail_misuse("runs a once function inside itself", pc);
  if (!s.is_alone_and_quiet())
    s.visible({.kind = OperationKind::kOnce, .address = object.address, .object = &object, .pc = pc});
  begin_use(object, SyncKind::kOnce, "runs", pc);
  s.acquire(object.clock);
  if (*control == kDone) {
    s.touch(object.address, Access::kRead);
    return 0;
  }
  s.touch(object.address, Access::kWrite);
  object.owner = current;
  object.locked_at = pc;
  Running running{.object = &object, .pc = pc};
  function();
  running.object = nullptr;
  begin_use(object, SyncKind::kOnce, "ends", pc);
  announce(object, pc);
  *control = kDone;
  return 0;
}

// --- keys ---

struct Key {
  bool is_used;
  void (*destructor)(void*);
};

// A part of the program's state: it is put back with the memory of the program.
std::array<Key, PTHREAD_KEYS_MAX> keys;
std::array<Key, PTHREAD_KEYS_MAX> keys_of_start;
std::size_t keys_end = 0;  // after the last one that was ever used
std::vector<const void*>& values_of_start() {
  static auto* const values = new std::vector<const void*>;
  return *values;
}

std::vector<const void*>& values() { return current == nullptr ? values_of_start() : current->specific; }

}  // namespace

void note_keys_of_start() { keys_of_start = keys; }
void restore_keys(Thread& main) {
  std::copy_n(keys_of_start.begin(), keys_end, keys.begin());
  main.specific = values_of_start();
}

// In program_state.cc.
void add_keys(WideHash& hash) {
  for (std::size_t key = 0; key < keys_end; ++key)
    hash.add({.high = keys[key].is_used, .low = reinterpret_cast<std::uint64_t>(keys[key].destructor)});
}

void run_key_destructors() {
  Thread& self = *current;
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (std::size_t key = 0; key < self.specific.size(); ++key) {
      const void* const value = std::exchange(self.specific[key], nullptr);
      if (value == nullptr || !keys[key].is_used || keys[key].destructor == nullptr) continue;
      any = true;
      keys[key].destructor(const_cast<void*>(value));
    }
    if (!any) return;
  }
}

RAVEL_EXPORT int pthread_once(pthread_once_t* control, void (*function)()) {
  return call_once_with(control, function, RAVEL_CALLER);
}
RAVEL_EXPORT void call_once(once_flag* flag, void (*function)()) {
  call_once_with(reinterpret_cast<int*>(flag), function, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  for (unsigned i = 0; i < keys.size(); ++i) {
    if (keys[i].is_used) continue;
    keys[i] = {.is_used = true, .destructor = destructor};
    keys_end = std::max<std::size_t>(keys_end, i + 1);
    *key = i;
    return 0;
  }
  return EAGAIN;
}
RAVEL_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  if (key >= keys.size() || !keys[key].is_used) return EINVAL;
  keys[key] = {};
  return 0;
}
RAVEL_EXPORT void* pthread_getspecific(pthread_key_t key) noexcept {
  const std::vector<const void*>& all = values();
  return key < all.size() ? const_cast<void*>(all[key]) : nullptr;
}
RAVEL_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (current != nullptr) current->note_change();
  if (key >= keys.size() || !keys[key].is_used) return EINVAL;
  std::vector<const void*>& all = values();
  if (key >= all.size()) all.resize(key + 1);
  all[key] = value;
  return 0;
}
RAVEL_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}
RAVEL_EXPORT void tss_delete(tss_t key) { pthread_key_delete(key); }
RAVEL_EXPORT void* tss_get(tss_t key) { return pthread_getspecific(key); }
RAVEL_EXPORT int tss_set(tss_t key, void* value) {
  return pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}

// --- static local variables of C++ ---

RAVEL_EXPORT int __cxa_guard_acquire(std::uint64_t* guard) {
  auto& is_done = *reinterpret_cast<volatile std::uint8_t*>(guard);
  if (current == nullptr) return is_done == 0;
  Scheduler& s = scheduler();
  SyncObject& object = s.object(guard, SyncKind::kOnce);
  if (is_done_already(object, is_done != 0)) return 0;
  if (object.owner == current)
    fail_misuse("initialises a static local variable inside its own initialisation", RAVEL_CALLER);
  if (!s.is_alone_and_quiet())
    s.visible(
        {.kind = OperationKind::kOnce, .address = object.address, .object = &object, .pc = RAVEL_CALLER});
  s.acquire(object.clock);
  if (is_done != 0) {
    s.touch(object.address, Access::kRead);
    return 0;
  }
  s.touch(object.address, Access::kWrite);
  object.owner = current;
  object.locked_at = RAVEL_CALLER;
  return 1;
}
RAVEL_EXPORT void __cxa_guard_release(std::uint64_t* guard) {
  if (current != nullptr) announce(scheduler().object(guard, SyncKind::kOnce), RAVEL_CALLER);
  *reinterpret_cast<volatile std::uint8_t*>(guard) = 1;
  // The compiler asks the guard itself by an acquiring load before it calls at all.
  if (current != nullptr) scheduler().object(guard, SyncKind::kAtomic).clock.join(current->clock);
}
RAVEL_EXPORT void __cxa_guard_abort(std::uint64_t* guard) {
  if (current != nullptr) announce(scheduler().object(guard, SyncKind::kOnce), RAVEL_CALLER);
}

// --- at the end ---

// What the runtime itself registers is no part of the program.
extern "C" __attribute__((visibility("hidden"))) void* __dso_handle;

RAVEL_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void* library) {
  if (library == &__dso_handle) return 0;
  scheduler().at_exit.push_back({.function = function, .argument = argument});
  return 0;
}
RAVEL_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void*) {
  std::vector<AtThreadEnd>& list = current == nullptr ? scheduler().at_exit : current->at_end;
  list.push_back({.function = function, .argument = argument});
  return 0;
}
RAVEL_EXPORT int __cxa_thread_atexit(void (*function)(void*), void* argument, void* library) {
  return __cxa_thread_atexit_impl(function, argument, library);
}

}  // namespace ravel::threads
