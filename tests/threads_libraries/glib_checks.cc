// GLib (Debian: libglib2.0-dev), which is not compiled by the wrapper: its mutexes and condition variables are under control.
// needs: glib-2.0/glib.h
// compile: -I/usr/include/glib-2.0 -I/usr/lib/x86_64-linux-gnu/glib-2.0/include -lglib-2.0
// expect: silent "data race" pass -t guarded --strategy dpor
// expect: executions=2 pass -t guarded --strategy dpor
// expect: says "data race on count" bug assertion -t half_guarded
// expect: bug deadlock -t two_locks
// expect: silent "data race" pass -t handed_over --strategy dpor
// expect: pass -t tried --strategy dpor
// expect: bug assertion -t gives_up
// expect: bug misuse -t not_mine
// expect: bug deadlock -t twice
#include <glib.h>
#include <ravel/test.h>

#include <cassert>
#include <thread>

static GMutex first, second;
static GCond changed;
static int count;

static void add() {
  g_mutex_lock(&first);
  count = count + 1;
  g_mutex_unlock(&first);
}

RAVEL_TEST(guarded) {
  std::thread other(add);
  add();
  other.join();
  assert(count == 2);
}

RAVEL_TEST(half_guarded) {
  std::thread other(add);
  count = count + 1;
  other.join();
  assert(count == 2);
}

static void take_both(GMutex* one, GMutex* other) {
  g_mutex_lock(one);
  g_mutex_lock(other);
  g_mutex_unlock(other);
  g_mutex_unlock(one);
}

RAVEL_TEST(two_locks) {
  std::thread other([] { take_both(&second, &first); });
  take_both(&first, &second);
  other.join();
}

RAVEL_TEST(handed_over) {
  GMutex mutex;
  GCond condition;
  g_mutex_init(&mutex);
  g_cond_init(&condition);
  std::thread other([&] {
    g_mutex_lock(&mutex);
    count = 1;
    g_cond_signal(&condition);
    g_mutex_unlock(&mutex);
  });
  g_mutex_lock(&mutex);
  while (count == 0) g_cond_wait(&condition, &mutex);
  g_mutex_unlock(&mutex);
  other.join();
  g_cond_clear(&condition);
  g_mutex_clear(&mutex);
}

RAVEL_TEST(tried) {
  std::thread other(add);
  if (g_mutex_trylock(&first)) {
    count = count + 1;
    g_mutex_unlock(&first);
  }
  other.join();
  assert(count >= 1);
}

RAVEL_TEST(gives_up) {
  std::thread other([] {
    g_mutex_lock(&first);
    count = 1;
    g_cond_broadcast(&changed);
    g_mutex_unlock(&first);
  });
  g_mutex_lock(&first);
  const gint64 end = g_get_monotonic_time() + G_TIME_SPAN_SECOND;
  bool is_late = false;
  while (count == 0 && !is_late) is_late = !g_cond_wait_until(&changed, &first, end);
  if (is_late) assert(g_get_monotonic_time() >= end);
  g_mutex_unlock(&first);
  assert(!is_late);
  other.join();
}

RAVEL_TEST(not_mine) { g_mutex_unlock(&first); }

RAVEL_TEST(twice) {
  g_mutex_lock(&first);
  g_mutex_lock(&first);
}
