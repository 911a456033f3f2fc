// Choices of a test in C, with assertions that NDEBUG does not switch off.
//
// compile: -DNDEBUG
// expect: says "chooses 2 of 2" bug assertion
// expect: says "1 distinct bug in the 4 traces, which are all there are." bug assertion --strategy dpor --keep-going
#include <pthread.h>
#include <ravel.h>

static void* choose(void* number) {
  *(int*)number = ravel_choose(2);
  return NULL;
}

int main(void) {
  int first, second;
  pthread_t thread;
  pthread_create(&thread, NULL, choose, &first);
  choose(&second);
  pthread_join(thread, NULL);
  ravel_assert(first + second < 4, "one of them is 1");
  return 0;
}
