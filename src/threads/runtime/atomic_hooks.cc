// What the compiler calls for atomic operations: __tsan_atomic32_load() and the like.
//
// Every one is an operation, and atomic under sequential consistency whatever its memory order says: weaker
// orders only decide what happens before what, as the race detector sees it.

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>

#include "threads/runtime/export.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/weak_orders.h"

namespace ravel::threads {

namespace {

// As the compilers number memory orders.
constexpr int kConsume = 1, kAcquire = 2, kRelease = 3, kAcquireRelease = 4, kSequential = 5;
bool acquires(int order) { return order == kConsume || order == kAcquire || order >= kAcquireRelease; }
bool releases(int order) { return order >= kRelease && order <= kSequential; }
// Under sequential consistency all the same, see RaceDetector::note_meetings().
AccessKind access_of(OperationKind kind, int order) {
  const bool is_load = kind == OperationKind::kAtomicLoad;
  if (order == kSequential) return is_load ? AccessKind::kSequentialRead : AccessKind::kSequentialWrite;
  return is_load ? AccessKind::kAtomicRead : AccessKind::kAtomicWrite;
}

// Whether this is no operation, nor is anything to be noted: there is nobody to see it happen earlier or
// later.
template <class T>
[[gnu::always_inline]] inline bool is_quiet(volatile T* p, AccessKind kind, std::uint64_t pc) {
  if (current == nullptr) return true;
  Scheduler& s = scheduler();
  if (!s.is_alone_and_quiet()) [[likely]]
    return false;
  s.memory().check_access(reinterpret_cast<std::uint64_t>(p), sizeof(T), kind, pc);
  return true;
}

template <class T>
std::uint64_t low_bits(const T& value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value < sizeof bits ? sizeof value : sizeof bits);
  return bits;
}

// What it does is done, and the thread knows what it has learnt by it.
enum class Effect : std::uint8_t { kReads, kWrites, kUpdates };
[[gnu::always_inline]] inline void note_order(const volatile void* p, Effect effect, int order,
                                              std::uint64_t pc) {
  // Small neighbours in one word are different objects
  const auto address = reinterpret_cast<std::uint64_t>(p);
  const bool is_strong = order == kSequential;
  if (!is_strong || has_weak_orders) [[unlikely]]
    note_atomic_use({.word = address,
                     .pc = pc,
                     .thread = current->number,
                     .writes = effect != Effect::kReads,
                     .acquires = effect != Effect::kWrites && acquires(order),
                     .releases = effect != Effect::kReads && releases(order),
                     .is_sequential = is_strong});
  scheduler().races().note_meetings(address);
}

template <class T>
[[gnu::always_inline]] inline std::uint32_t wait_for_turn(volatile T* p, OperationKind kind, int order,
                                                          std::uint64_t pc, bool may_fail = false) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  Scheduler& s = scheduler();
  const AccessKind access = access_of(kind, order);
  s.memory().check_access(address, sizeof(T), access, pc);
  const std::uint32_t alternative =
      s.visible({.kind = kind, .expires = may_fail, .size = sizeof(T), .address = address, .pc = pc});
  s.memory().check_access(address, sizeof(T), access, pc);
  s.touch_only(address & ~std::uint64_t{7},
               kind == OperationKind::kAtomicLoad ? Access::kRead : Access::kWrite);
  if (sizeof(T) > 8)
    s.touch_only((address & ~std::uint64_t{7}) + 8,
                 kind == OperationKind::kAtomicLoad ? Access::kRead : Access::kWrite);
  s.races().note_access(address, sizeof(T), access, pc);
  return alternative;
}

template <class T>
void tell(const T& before, const T& after) {
  if (scheduler().recording().is_on()) {
    scheduler().recording().record().before = low_bits(before);
    scheduler().recording().record().after = low_bits(after);
  }
}

void learn(volatile void* p, int order) {
  if (acquires(order))
    scheduler().acquire(scheduler().object(const_cast<const void*>(p), SyncKind::kAtomic).clock);
}
// A store that is not a release starts a new history; an update continues the one that there is.
enum class Store : std::uint8_t { kPlain, kUpdate };
void teach(volatile void* p, int order, Store store) {
  Scheduler& s = scheduler();
  VectorClock& clock = s.object(const_cast<const void*>(p), SyncKind::kAtomic).clock;
  if (store == Store::kPlain) clock.clear();
  if (!releases(order)) return;
  s.release(clock);
  s.begin_epoch(*current);
}

// What writes the value that is there has only looked: so does a thread that spins on a flag by exchanging
// it.
template <class T>
[[gnu::always_inline]] inline void note_if_unchanged(volatile T* p, const T& before, const T& after,
                                                     std::uint64_t pc) {
  if (before == after) scheduler().note_look_at_value(reinterpret_cast<std::uint64_t>(p), sizeof(T), pc);
}

template <class T>
[[gnu::always_inline]] inline T load(const volatile T* p, int order, std::uint64_t pc) {
  auto* const object = const_cast<volatile T*>(p);
  if (is_quiet(object, access_of(OperationKind::kAtomicLoad, order), pc)) return *object;
  wait_for_turn(object, OperationKind::kAtomicLoad, order, pc);
  const T value = *object;
  learn(object, order);
  note_order(p, Effect::kReads, order, pc);
  tell(value, value);
  scheduler().note_look_at_value(reinterpret_cast<std::uint64_t>(p), sizeof(T), pc);
  return value;
}

template <class T>
[[gnu::always_inline]] inline void store(volatile T* p, T value, int order, std::uint64_t pc) {
  if (is_quiet(p, AccessKind::kAtomicWrite, pc)) {
    *p = value;
    return;
  }
  wait_for_turn(p, OperationKind::kAtomicStore, order, pc);
  note_order(p, Effect::kWrites, order, pc);
  const T before = *p;
  *p = value;
  teach(p, order, Store::kPlain);
  note_if_unchanged(p, before, value, pc);
  tell(before, value);
}

template <class T, class Function>
[[gnu::always_inline]] inline T update(volatile T* p, int order, std::uint64_t pc, Function function) {
  const bool quiet = is_quiet(p, access_of(OperationKind::kAtomicUpdate, order), pc);
  if (!quiet) wait_for_turn(p, OperationKind::kAtomicUpdate, order, pc);
  const T before = *p;
  const T after = function(before);
  *p = after;
  if (!quiet) {
    learn(p, order);
    note_order(p, Effect::kUpdates, order, pc);
    teach(p, order, Store::kUpdate);
    note_if_unchanged(p, before, after, pc);
    tell(before, after);
  }
  return before;
}

template <class T>
[[gnu::always_inline]] inline bool compare_exchange(volatile T* p, T* expected, T desired, int order,
                                                    int failure_order, std::uint64_t pc,
                                                    bool is_weak = false) {
  bool fails = false;
  const bool quiet = is_quiet(p, access_of(OperationKind::kAtomicUpdate, order), pc);
  if (!quiet)
    fails = wait_for_turn(p, OperationKind::kAtomicUpdate, order, pc,
                          is_weak && scheduler().configuration().spurious && current->spins == 0) != 0;
  const T before = *p;
  const bool is_equal = before == *expected && !fails;
  if (is_equal) *p = desired;
  if (!quiet) {
    learn(p, is_equal ? order : failure_order);
    note_order(p, is_equal ? Effect::kUpdates : Effect::kReads, is_equal ? order : failure_order, pc);
    if (is_equal) {
      teach(p, order, Store::kUpdate);
      note_if_unchanged(p, before, desired, pc);
    } else {
      scheduler().note_look_at_value(reinterpret_cast<std::uint64_t>(p), sizeof(T), pc);
      if (fails) scheduler().fairness().stand_back();
    }
    tell(before, is_equal ? desired : before);
    if (scheduler().recording().is_on())
      scheduler().recording().record().result = is_equal ? 0 : fails ? EINTR : 1;
  }
  if (!is_equal) *expected = before;
  return is_equal;
}

}  // namespace

__extension__ using Wide = unsigned __int128;

#define RAVEL_ATOMICS(bits, T)                                                                               \
  RAVEL_EXPORT T __tsan_atomic##bits##_load(const volatile T* p, int order) {                                \
    return load(p, order, RAVEL_CALLER);                                                                     \
  }                                                                                                          \
  RAVEL_EXPORT void __tsan_atomic##bits##_store(volatile T* p, T value, int order) {                         \
    store(p, value, order, RAVEL_CALLER);                                                                    \
  }                                                                                                          \
  RAVEL_EXPORT T __tsan_atomic##bits##_exchange(volatile T* p, T value, int order) {                         \
    return update(p, order, RAVEL_CALLER, [&](T) { return value; });                                         \
  }                                                                                                          \
  RAVEL_EXPORT T __tsan_atomic##bits##_fetch_add(volatile T* p, T value, int order) {                        \
    return update(p, order, RAVEL_CALLER, [&](T old) { return static_cast<T>(old + value); });               \
  }                                                                                                          \
  RAVEL_EXPORT T __tsan_atomic##bits##_fetch_sub(volatile T* p, T value, int order) {                        \
    return update(p, order, RAVEL_CALLER, [&](T old) { return static_cast<T>(old - value); });               \
  }                                                                                                          \
  RAVEL_EXPORT T __tsan_atomic##bits##_fetch_and(volatile T* p, T value, int order) {                        \
    return update(p, order, RAVEL_CALLER, [&](T old) { return static_cast<T>(old & value); });               \
  }                                                                                                          \
  RAVEL_EXPORT T __tsan_atomic##bits##_fetch_or(volatile T* p, T value, int order) {                         \
    return update(p, order, RAVEL_CALLER, [&](T old) { return static_cast<T>(old | value); });               \
  }                                                                                                          \
  RAVEL_EXPORT T __tsan_atomic##bits##_fetch_xor(volatile T* p, T value, int order) {                        \
    return update(p, order, RAVEL_CALLER, [&](T old) { return static_cast<T>(old ^ value); });               \
  }                                                                                                          \
  RAVEL_EXPORT T __tsan_atomic##bits##_fetch_nand(volatile T* p, T value, int order) {                       \
    return update(p, order, RAVEL_CALLER, [&](T old) { return static_cast<T>(~(old & value)); });            \
  }                                                                                                          \
  RAVEL_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T desired,      \
                                                                 int order, int failure_order) {             \
    return compare_exchange(p, expected, desired, order, failure_order, RAVEL_CALLER);                       \
  }                                                                                                          \
  RAVEL_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T desired,        \
                                                               int order, int failure_order) {               \
    return compare_exchange(p, expected, desired, order, failure_order, RAVEL_CALLER, true);                 \
  }                                                                                                          \
  RAVEL_EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T desired, int order, \
                                                            int failure_order) {                             \
    compare_exchange(p, &expected, desired, order, failure_order, RAVEL_CALLER);                             \
    return expected;                                                                                         \
  }

RAVEL_ATOMICS(8, std::uint8_t)
RAVEL_ATOMICS(16, std::uint16_t)
RAVEL_ATOMICS(32, std::uint32_t)
RAVEL_ATOMICS(64, std::uint64_t)
RAVEL_ATOMICS(128, Wide)

// Under sequential consistency a fence changes nothing; to the detector it is a meeting point of all threads
// that use fences, which orders more than the language does and so may miss a race, but reports none that is
// not there.
RAVEL_EXPORT void __tsan_atomic_thread_fence(int order) {
  static const char meeting_point = 0;
  if (current == nullptr) return;
  if (acquires(order)) scheduler().acquire(scheduler().object(&meeting_point, SyncKind::kAtomic).clock);
  if (releases(order)) {
    scheduler().release(scheduler().object(&meeting_point, SyncKind::kAtomic).clock);
    scheduler().begin_epoch(*current);
  }
}
RAVEL_EXPORT void __tsan_atomic_signal_fence(int) {}

}  // namespace ravel::threads
