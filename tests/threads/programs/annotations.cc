// What libraries say to ThreadSanitizer: they link, order is believed, and harmless races are explored without a warning.
// expect: race value pass -t no_annotation
// expect: silent "data race" pass -t ordered
// expect: silent "data race" pass -t ordered --strategy dpor
// expect: bug assertion -t said_of_one_order
// expect: bug assertion -t said_of_one_order --strategy dpor
// expect: silent "data race" bug assertion -t ignored
// expect: silent "data race" bug assertion -t ignored --strategy dpor
// expect: silent "data race" pass -t harmless_memory
// expect: silent "data race" pass -t ignored_by_the_first --races bug
// expect: silent "data race" pass -t locks
#include <ravel/test.h>

#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

extern "C" {
void AnnotateHappensBefore(const char*, int, const void*);
void AnnotateHappensAfter(const char*, int, const void*);
void AnnotateIgnoreReadsBegin(const char*, int);
void AnnotateIgnoreReadsEnd(const char*, int);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
void AnnotateBenignRaceSized(const char*, int, const void*, std::size_t, const char*);
void AnnotateRWLockCreate(const char*, int, const void*);
void AnnotateRWLockAcquired(const char*, int, const void*, long);
void AnnotateRWLockReleased(const char*, int, const void*, long);
void __tsan_acquire(void*);
void __tsan_release(void*);
void __tsan_mutex_create(void*, unsigned);
void __tsan_mutex_pre_lock(void*, unsigned);
void __tsan_mutex_post_lock(void*, unsigned, int);
int __tsan_mutex_pre_unlock(void*, unsigned);
void __tsan_mutex_post_unlock(void*, unsigned);
void __tsan_mutex_destroy(void*, unsigned);
}

static int value = 0;
static std::atomic<int> flag = 0;

template <class Function, class Other>
static void side_by_side(Function function, Other other) {
  std::thread thread(function);
  other();
  thread.join();
}

RAVEL_TEST(no_annotation) {
  side_by_side(
      [] {
        value = 1;
        flag.store(1, std::memory_order_relaxed);
      },
      [] { assert(flag.load(std::memory_order_relaxed) == 0 || value == 1); });
}

RAVEL_TEST(ordered) {
  side_by_side(
      [] {
        value = 1;
        __tsan_release(&flag);
        flag.store(1, std::memory_order_relaxed);
      },
      [] {
        if (flag.load(std::memory_order_relaxed) == 0) return;
        __tsan_acquire(&flag);
        assert(value == 1);
      });
}

// Nothing waits: the other order is explored as well.
RAVEL_TEST(said_of_one_order) {
  side_by_side(
      [] {
        value = 1;
        AnnotateHappensBefore(__FILE__, __LINE__, &value);
      },
      [] {
        AnnotateHappensAfter(__FILE__, __LINE__, &value);
        assert(value == 1);
      });
}

static void add_one() {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  ++value;
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}

RAVEL_TEST(ignored) {
  side_by_side(add_one, add_one);
  assert(value == 2);
}

RAVEL_TEST(harmless_memory) {
  AnnotateBenignRaceSized(__FILE__, __LINE__, &value, sizeof value, "a statistic");
  side_by_side([] { ++value; }, [] { ++value; });
}

RAVEL_TEST(ignored_by_the_first) {
  side_by_side(add_one, [] { value = 5; });
}

RAVEL_TEST(locks) {
  static std::atomic<bool> lock = false;
  AnnotateRWLockCreate(__FILE__, __LINE__, &lock);
  __tsan_mutex_create(&lock, 0);
  const auto add = [] {
    __tsan_mutex_pre_lock(&lock, 0);
    while (lock.exchange(true)) {
    }
    __tsan_mutex_post_lock(&lock, 0, 0);
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1);
    ++value;
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 1);
    __tsan_mutex_pre_unlock(&lock, 0);
    lock = false;
    __tsan_mutex_post_unlock(&lock, 0);
  };
  side_by_side(add, add);
  assert(value == 2);
  __tsan_mutex_destroy(&lock, 0);
}
