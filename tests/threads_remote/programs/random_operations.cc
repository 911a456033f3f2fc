// Threads with random operations on two variables, two mutexes, a semaphore, a condition variable and a read-write lock.
//
//     random_operations SEED THREADS OPERATIONS KINDS [ITERATIONS]
//
// KINDS names those to choose from, by letter. What the operations return, and what is left, is the exit status; After ITERATIONS a
// loop that locks waits by a condition variable instead.

#include <pthread.h>
#include <ravel.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

constexpr unsigned kThreadsMax = 4, kOperationsMax = 8;

struct Operation { char kind; unsigned object; };

Operation program[kThreadsMax][kOperationsMax];
unsigned threads, operations;
std::atomic<unsigned> variables[2];
pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
sem_t semaphore;
std::atomic<bool> locks[2];
unsigned protected_by[2];  // mutexes
pthread_cond_t is_changed[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
constexpr unsigned kForEver = ~0u;
unsigned iterations_max = kForEver;
unsigned seen[kThreadsMax];
pthread_rwlock_t read_write = PTHREAD_RWLOCK_INITIALIZER;
unsigned shared;
bool is_shared_set;  // protected by mutexes[0], and used only if iterations are bounded

// So many seconds after the virtual clock's start.
timespec date(unsigned seconds) { return {.tv_sec = 1'000'000'000 + seconds, .tv_nsec = 0}; }

void wait_for_protected(unsigned object) {
  for (unsigned iterations = 0;; iterations += iterations_max == kForEver ? 0 : 1) {
    pthread_mutex_lock(&mutexes[object]);
    while (iterations == iterations_max && protected_by[object] == 0) pthread_cond_wait(&is_changed[object], &mutexes[object]);
    const unsigned value = protected_by[object];
    pthread_mutex_unlock(&mutexes[object]);
    if (value != 0) return;
  }
}

void wait_for_shared() {
  for (unsigned iterations = 0;; iterations += iterations_max == kForEver ? 0 : 1) {
    if (iterations == iterations_max) {
      pthread_mutex_lock(&mutexes[0]);
      while (!is_shared_set) pthread_cond_wait(&is_changed[0], &mutexes[0]);
      pthread_mutex_unlock(&mutexes[0]);
    }
    pthread_rwlock_rdlock(&read_write);
    const unsigned value = shared;
    pthread_rwlock_unlock(&read_write);
    if (value != 0) return;
  }
}

void* run(void* argument) {
  const auto self = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(argument));
  bool holds[2] = {false, false}, spins[2] = {false, false};
  const auto see = [&](unsigned value) { seen[self] = seen[self] * 31 + value + 1; };
  for (unsigned i = 0; i < operations; ++i) {
    const auto [kind, object] = program[self][i];
    unsigned expected = 1;
    switch (kind) {
      case 'r': see(variables[object].load()); break;
      case 'w': variables[object].store(self + 1); break;
      case 'a': see(variables[object].fetch_add(1)); break;
      case 'x': see(variables[object].compare_exchange_strong(expected, 7) ? 1 : 0); break;
      case 'l':
        if (holds[object]) pthread_mutex_unlock(&mutexes[object]);
        if (!holds[object]) pthread_mutex_lock(&mutexes[object]);
        holds[object] = !holds[object];
        break;
      case 't':
        if (holds[object]) break;
        holds[object] = pthread_mutex_trylock(&mutexes[object]) == 0;
        see(holds[object] ? 1 : 0);
        break;
      case 's':
        if (object == 0) sem_wait(&semaphore);
        if (object == 1) sem_post(&semaphore);
        break;
      // Choosing: a number, and whether to write.
      case 'm': see(static_cast<unsigned>(ravel_choose(2 + static_cast<int>(object)))); break;
      case 'e':
        if (ravel_choose(2) == 2) variables[object].store(self + 1);
        break;
      // Waiting in loops: for a variable, for one of them while others may go on, and for a spin lock.
      case 'v':
        while (variables[object].load() == 0) {
        }
        break;
      case 'y':
        while (variables[object].load() == variables[1 - object].load()) sched_yield();
        break;
      case 'k':
        if (spins[object]) {
          locks[object].store(false);
        } else {
          while (locks[object].exchange(true)) {
          }
        }
        spins[object] = !spins[object];
        break;
      // For a mutex, and for the semaphore, by trying.
      case 'q':
        if (holds[object]) pthread_mutex_unlock(&mutexes[object]);
        if (!holds[object]) {
          while (pthread_mutex_trylock(&mutexes[object]) != 0) sched_yield();
        }
        holds[object] = !holds[object];
        break;
      case 'h':
        while (object == 0 && sem_trywait(&semaphore) != 0) {
        }
        if (object == 1) sem_post(&semaphore);
        break;
      // For what a mutex protects, by locking it.
      case 'p':
        if (!holds[object]) wait_for_protected(object);
        break;
      // For what a read-write lock protects, and that.
      case 'g':
        if (!holds[0]) wait_for_shared();
        break;
      case 'u':
        pthread_rwlock_wrlock(&read_write);
        see(shared);
        shared = shared * 2 + 1;
        pthread_rwlock_unlock(&read_write);
        if (iterations_max == kForEver) break;
        if (!holds[0]) pthread_mutex_lock(&mutexes[0]);
        is_shared_set = true;
        pthread_cond_broadcast(&is_changed[0]);
        if (!holds[0]) pthread_mutex_unlock(&mutexes[0]);
        break;
      case 'f':
        if (!holds[object]) pthread_mutex_lock(&mutexes[object]);
        see(protected_by[object]);
        protected_by[object] = protected_by[object] * 2 + 1;
        if (iterations_max != kForEver) pthread_cond_broadcast(&is_changed[object]);
        if (!holds[object]) pthread_mutex_unlock(&mutexes[object]);
        break;
      // With deadlines: sleeping, asking for the time, locking, taking from the semaphore and waiting for a signal.
      case 'z': {
        const timespec duration{.tv_sec = object + 1 + self, .tv_nsec = 0};
        nanosleep(&duration, nullptr);
        break;
      }
      case 'n': {
        timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        see(static_cast<unsigned>(now.tv_sec - date(0).tv_sec));
        break;
      }
      case 'i': {
        if (holds[object]) break;
        const timespec deadline = date(1 + self);
        holds[object] = pthread_mutex_timedlock(&mutexes[object], &deadline) == 0;
        see(holds[object] ? 1 : 0);
        break;
      }
      case 'j': {
        const timespec deadline = date(1 + self + object);
        see(sem_timedwait(&semaphore, &deadline) == 0 ? 1 : 0);
        break;
      }
      case 'o': {
        const timespec deadline = date(2 - object);
        if (holds[0]) see(pthread_cond_timedwait(&condition, &mutexes[0], &deadline) == 0 ? 1 : 0);
        break;
      }
      case 'c':
        if (object == 0 && holds[0]) pthread_cond_wait(&condition, &mutexes[0]);
        if (object == 1) pthread_cond_signal(&condition);
        break;
    }
  }
  for (unsigned object = 0; object < 2; ++object)
    if (holds[object]) pthread_mutex_unlock(&mutexes[object]);
  for (unsigned object = 0; object < 2; ++object)
    if (spins[object]) locks[object].store(false);
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) return 1;
  if (argc == 6) iterations_max = static_cast<unsigned>(std::atoi(argv[5]));
  std::uint64_t state = std::strtoull(argv[1], nullptr, 10) * 7919 + 1;
  const auto below = [&](std::uint64_t end) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((state >> 33) % end);
  };
  threads = static_cast<unsigned>(std::atoi(argv[2]));
  operations = static_cast<unsigned>(std::atoi(argv[3]));
  for (unsigned thread = 0; thread < threads; ++thread)
    for (unsigned i = 0; i < operations; ++i) {
      const char kind = argv[4][below(std::strlen(argv[4]))];
      program[thread][i] = {.kind = kind, .object = below(2)};
    }
  sem_init(&semaphore, 0, 1);
  pthread_t ids[kThreadsMax];
  for (unsigned thread = 0; thread < threads; ++thread)
    pthread_create(&ids[thread], nullptr, run, reinterpret_cast<void*>(std::uintptr_t{thread}));
  for (unsigned thread = 0; thread < threads; ++thread) pthread_join(ids[thread], nullptr);
  unsigned all = variables[0] * 5 + variables[1] + protected_by[0] * 3 + protected_by[1] * 7 + shared * 11;
  for (unsigned thread = 0; thread < threads; ++thread) all = all * 101 + seen[thread];
  return static_cast<int>(all % 127);
}
