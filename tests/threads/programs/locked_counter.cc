// A correct program: every access is under the lock, so there is neither a race nor a failure.
//
// Each thread locks, unlocks and ends; main creates two and joins them. With every thread's start and the joins fixed,
// the schedules are those of L1 U1 E1 and L2 U2 E2 around main's operations.
// expect: pass --strategy dfs
// expect: pass
// expect: executions=200 pass --strategy random --budget 200x
// expect: executions=127 pass --strategy random --budget 127x
// expect: pass --strategy delay --delays 1
// expect: pass --strategy dpor
// expect: error --strategy variants
// expect: error --strategy dfs --preemptions 1
// expect: error -t a:b
#include <pthread.h>

#include <cassert>

static int counter = 0;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* add(void*) {
  pthread_mutex_lock(&mutex);
  ++counter;
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, add, nullptr);
  for (pthread_t& thread : threads) pthread_join(thread, nullptr);
  assert(counter == 2);
}
