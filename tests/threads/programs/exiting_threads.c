// Threads that end by pthread_exit(): the first time is not different from the others, so that the bug behind it is seen again.
// expect: silent "nondeterminism" preemptions=0 bug assertion
// expect: silent "comes to" preemptions=0 bug assertion --strategy dpor
// expect: executions=9 pass --preemptions 1 -- passes
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* add(void* result) {
  pthread_mutex_lock(&mutex);
  ++counter;
  pthread_mutex_unlock(&mutex);
  pthread_exit(result);
}

int main(int count, char** arguments) {
  (void)arguments;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, add, &threads[i]);
  for (int i = 0; i < 2; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    assert(result == &threads[i]);
  }
  assert(counter == (count > 1 ? 2 : 3));
  return 0;
}
