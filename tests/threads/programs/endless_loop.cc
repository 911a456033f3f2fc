// A thread that waits for another one by nothing but a loop over ordinary memory, which the compiler reads once: no schedule
// ends it, so the execution is ended, and the search goes on or stops as after any bug.
//
// expect: says "2 seconds of processor time without an operation" bug no_progress --strategy dfs
#include <pthread.h>

static int ready = 0;

static void* wait_for_it(void*) {
  while (ready == 0) {
  }
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, wait_for_it, nullptr);
  ready = 1;
  pthread_join(thread, nullptr);
}
