// Everything of pthreads in one correct program: whatever the schedule, every assertion holds.
//
// compile: -std=gnu11
// expect: pass --strategy random --budget 400x
// expect: pass --preemptions 0
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive, checking;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static __thread int own = 7;

static int ready_flag, shared, spun, initialised, destroyed, serial;

static void initialise(void) { ++initialised; }
static void destroy(void* value) {
  free(value);
  pthread_mutex_lock(&mutex);
  ++destroyed;
  pthread_mutex_unlock(&mutex);
}

static void* work(void* argument) {
  const long number = (long)argument;
  assert(own == 7);
  own = (int)number;
  pthread_once(&once, initialise);
  assert(initialised == 1);
  assert(pthread_getspecific(key) == NULL);
  pthread_setspecific(key, malloc(16));

  pthread_mutex_lock(&mutex);
  while (!ready_flag) pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);

  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_lock(&checking) == 0);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_mutex_unlock(&checking) == EPERM);

  pthread_rwlock_rdlock(&lock);
  const int seen = shared;
  assert(pthread_rwlock_trywrlock(&lock) != 0);
  assert(shared == seen);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  ++shared;
  assert(pthread_rwlock_tryrdlock(&lock) != 0);
  pthread_rwlock_unlock(&lock);

  pthread_spin_lock(&spin);
  ++spun;
  pthread_spin_unlock(&spin);

  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
  assert(shared == 2 && spun == 2);
  sched_yield();
  usleep(10);
  sem_post(&semaphore);
  assert(own == (int)number);
  if (number == 2) pthread_exit((void*)20L);
  return (void*)10L;
}

static void* leave(void* unused) {
  (void)unused;
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&semaphore, 0, 0);
  pthread_key_create(&key, destroy);

  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, (void*)(i + 1));
  assert(!pthread_equal(threads[0], threads[1]) && !pthread_equal(threads[0], pthread_self()));

  struct timespec soon = {0, 1000};
  pthread_mutex_lock(&mutex);
  assert(pthread_cond_timedwait(&ready, &mutex, &soon) == ETIMEDOUT);
  ready_flag = 1;
  pthread_cond_broadcast(&ready);
  pthread_mutex_unlock(&mutex);

  sem_wait(&semaphore);
  sem_wait(&semaphore);
  int left = -1;
  sem_getvalue(&semaphore, &left);
  assert(left == 0 && sem_trywait(&semaphore) == -1 && errno == EAGAIN);

  void* first = NULL;
  void* second = NULL;
  pthread_join(threads[0], &first);
  pthread_join(threads[1], &second);
  assert(first == (void*)10L && second == (void*)20L);
  assert(destroyed == 2 && serial == 1 && own == 7);

  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_t gone;
  pthread_create(&gone, &detached, leave, NULL);
  assert(pthread_mutex_trylock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
  pthread_barrier_destroy(&barrier);
  return 0;
}
