// Blocking all signals keeps neither faults nor the first writes to memory from being noticed; waiting for one is refused.
//
// expect: pass
// expect: refused -- wait
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int numbers[100000];

static void* child(void* unused) {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  assert(sigismember(&mask, SIGINT) == 1);
  numbers[70000] = 1;
  return unused;
}

static void ignore(int number) { (void)number; }

int main(int argc, char** argv) {
  sigset_t all, none;
  (void)argv;
  sigfillset(&all);
  assert(pthread_sigmask(SIG_BLOCK, &all, &none) == 0);
  assert(sigismember(&none, SIGINT) == 0);
  signal(SIGSEGV, ignore);
  assert(numbers[70000] == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, child, NULL);
  pthread_join(thread, NULL);
  assert(numbers[70000] == 1);
  if (argc > 1) {
    int number;
    sigwait(&all, &number);
  }
  return 0;
}
