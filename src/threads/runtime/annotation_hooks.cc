// What programs say to ThreadSanitizer themselves, by its own interface (sanitizer/tsan_interface.h) or by
// that of dynamic annotations: libraries that know it do so wherever they are compiled for it.
//
// What is said of the order of threads is believed by the race detector, and is an operation, so that the
// other order is explored, too. What is said of locks adds nothing, since these are made of atomics, which
// are under control. Races that are said to be harmless are explored as others are, without a warning.

#include <cstddef>
#include <cstdint>

#include "threads/runtime/export.h"
#include "threads/runtime/harmless_races.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

HarmlessRaces harmless_races;

namespace {

// A store that is no release forgets the order of an atomic variable at the same place (atomic_hooks.cc), not
// what was said.
VectorClock& clock_at(const void* address) {
  constexpr std::uintptr_t kElsewhere = std::uintptr_t{1} << 62;
  return scheduler()
      .object(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(address) | kElsewhere),
              SyncKind::kAtomic)
      .clock;
}

void note_harmless(const void* address, std::size_t size) {
  const auto low = reinterpret_cast<std::uint64_t>(address);
  harmless_races.add_memory(low, low + size, current == nullptr);
}

// The order is that of the calls, which is one between threads that share the address.
void come_to(const void* address, OperationKind kind, std::uint64_t pc) {
  Scheduler& s = scheduler();
  const auto object = reinterpret_cast<std::uint64_t>(address);
  s.visible({.kind = kind, .address = object, .pc = pc});
  s.touch_only(object & ~std::uint64_t{7},
               kind == OperationKind::kAnnotatedAfter ? Access::kRead : Access::kWrite);
}

void happens_before(const void* address, std::uint64_t pc) {
  if (current == nullptr) return;
  come_to(address, OperationKind::kAnnotatedBefore, pc);
  scheduler().release(clock_at(address));
  scheduler().begin_epoch(*current);
}

void happens_after(const void* address, std::uint64_t pc) {
  if (current == nullptr) return;
  come_to(address, OperationKind::kAnnotatedAfter, pc);
  scheduler().acquire(clock_at(address));
}

void begin_ignoring() {
  if (current != nullptr) ++current->ignored_races;
}
void end_ignoring() {
  if (current != nullptr && current->ignored_races > 0) --current->ignored_races;
}

}  // namespace

RAVEL_EXPORT void __tsan_acquire(void* address) { happens_after(address, RAVEL_CALLER); }
RAVEL_EXPORT void __tsan_release(void* address) { happens_before(address, RAVEL_CALLER); }
RAVEL_EXPORT void AnnotateHappensBefore(const char*, int, const void* address) {
  happens_before(address, RAVEL_CALLER);
}
RAVEL_EXPORT void AnnotateHappensAfter(const char*, int, const void* address) {
  happens_after(address, RAVEL_CALLER);
}
RAVEL_EXPORT void WTFAnnotateHappensBefore(const char*, int, const void* address) {
  happens_before(address, RAVEL_CALLER);
}
RAVEL_EXPORT void WTFAnnotateHappensAfter(const char*, int, const void* address) {
  happens_after(address, RAVEL_CALLER);
}

RAVEL_EXPORT void AnnotateIgnoreReadsBegin(const char*, int) { begin_ignoring(); }
RAVEL_EXPORT void AnnotateIgnoreReadsEnd(const char*, int) { end_ignoring(); }
RAVEL_EXPORT void AnnotateIgnoreWritesBegin(const char*, int) { begin_ignoring(); }
RAVEL_EXPORT void AnnotateIgnoreWritesEnd(const char*, int) { end_ignoring(); }
RAVEL_EXPORT void __tsan_ignore_thread_begin() { begin_ignoring(); }
RAVEL_EXPORT void __tsan_ignore_thread_end() { end_ignoring(); }

RAVEL_EXPORT void AnnotateBenignRace(const char*, int, const void* address, const char*) {
  note_harmless(address, 1);
}
RAVEL_EXPORT void AnnotateBenignRaceSized(const char*, int, const void* address, std::size_t size,
                                          const char*) {
  note_harmless(address, size);
}
RAVEL_EXPORT void WTFAnnotateBenignRaceSized(const char*, int, const void* address, std::size_t size,
                                             const char*) {
  note_harmless(address, size);
}

// What ThreadSanitizer, too, takes for nothing, or what is known without it.
#define RAVEL_IGNORED(name, ...) \
  RAVEL_EXPORT void name(__VA_ARGS__) {}
RAVEL_IGNORED(__tsan_mutex_create, void*, unsigned)
RAVEL_IGNORED(__tsan_mutex_destroy, void*, unsigned)
RAVEL_IGNORED(__tsan_mutex_pre_lock, void*, unsigned)
RAVEL_IGNORED(__tsan_mutex_post_lock, void*, unsigned, int)
RAVEL_IGNORED(__tsan_mutex_post_unlock, void*, unsigned)
RAVEL_IGNORED(__tsan_mutex_pre_signal, void*, unsigned)
RAVEL_IGNORED(__tsan_mutex_post_signal, void*, unsigned)
RAVEL_IGNORED(__tsan_mutex_pre_divert, void*, unsigned)
RAVEL_IGNORED(__tsan_mutex_post_divert, void*, unsigned)
RAVEL_EXPORT int __tsan_mutex_pre_unlock(void*, unsigned) { return 0; }
RAVEL_IGNORED(__tsan_flush_memory)
RAVEL_IGNORED(AnnotateRWLockCreate, const char*, int, const void*)
RAVEL_IGNORED(AnnotateRWLockCreateStatic, const char*, int, const void*)
RAVEL_IGNORED(AnnotateRWLockDestroy, const char*, int, const void*)
RAVEL_IGNORED(AnnotateRWLockAcquired, const char*, int, const void*, long)
RAVEL_IGNORED(AnnotateRWLockReleased, const char*, int, const void*, long)
RAVEL_IGNORED(AnnotateCondVarWait, const char*, int, const void*, const void*)
RAVEL_IGNORED(AnnotateCondVarSignal, const char*, int, const void*)
RAVEL_IGNORED(AnnotateCondVarSignalAll, const char*, int, const void*)
RAVEL_IGNORED(AnnotateIgnoreSyncBegin, const char*, int)
RAVEL_IGNORED(AnnotateIgnoreSyncEnd, const char*, int)
RAVEL_IGNORED(AnnotateEnableRaceDetection, const char*, int, int)
RAVEL_IGNORED(AnnotateExpectRace, const char*, int, const void*, const char*)
RAVEL_IGNORED(AnnotateFlushExpectedRaces, const char*, int)
RAVEL_IGNORED(AnnotateFlushState, const char*, int)
RAVEL_IGNORED(AnnotateMemoryIsInitialized, const char*, int, const void*, std::size_t)
RAVEL_IGNORED(AnnotateMemoryIsUninitialized, const char*, int, const void*, std::size_t)
RAVEL_IGNORED(AnnotateMutexIsNotPHB, const char*, int, const void*)
RAVEL_IGNORED(AnnotateMutexIsUsedAsCondVar, const char*, int, const void*)
RAVEL_IGNORED(AnnotateNewMemory, const char*, int, const void*, std::size_t)
RAVEL_IGNORED(AnnotateNoOp, const char*, int, const void*)
RAVEL_IGNORED(AnnotatePCQCreate, const char*, int, const void*)
RAVEL_IGNORED(AnnotatePCQDestroy, const char*, int, const void*)
RAVEL_IGNORED(AnnotatePCQGet, const char*, int, const void*)
RAVEL_IGNORED(AnnotatePCQPut, const char*, int, const void*)
RAVEL_IGNORED(AnnotatePublishMemoryRange, const char*, int, const void*, std::size_t)
RAVEL_IGNORED(AnnotateUnpublishMemoryRange, const char*, int, const void*, std::size_t)
RAVEL_IGNORED(AnnotateThreadName, const char*, int, const char*)
RAVEL_IGNORED(AnnotateTraceMemory, const char*, int, const void*)

// A thread is one actor, whatever stacks it changes between.
RAVEL_EXPORT void* __tsan_get_current_fiber() { return current; }
RAVEL_EXPORT void __tsan_set_fiber_name(void*, const char*) {}
RAVEL_EXPORT void __tsan_destroy_fiber(void*) {}
RAVEL_EXPORT void* __tsan_create_fiber(unsigned) { return current; }
RAVEL_EXPORT void __tsan_switch_to_fiber(void*, unsigned) {}

}  // namespace ravel::threads
