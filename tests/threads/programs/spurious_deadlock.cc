// Whose signal came before it waited waits for ever; waking without reason is nothing to rely on. A loop makes it harmless.
//
// expect: bug deadlock
// expect: bug deadlock --spurious
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* waiter(void*) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
  while (pthread_cond_wait(&condition, &mutex) == 0) {
  }
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  pthread_cond_signal(&condition);
  pthread_join(thread, nullptr);
}
