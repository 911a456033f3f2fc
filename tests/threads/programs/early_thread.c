// A thread that is made while the loader still prepares the program, as constructors of libraries are run, too.
// expect: says "make it in main() or later" error
#include <pthread.h>
#include <stddef.h>

static void* nothing(void* argument) { return argument; }

static void make_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
}

__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = make_thread;

int main(void) { return 0; }
