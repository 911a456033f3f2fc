// The functions of the C library that the runtime takes the place of, for its own use.

#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

namespace ravel::threads {

struct RealFunctions {
  int (*pthread_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) = nullptr;
  int (*clock_gettime)(clockid_t, timespec*) = nullptr;
  long (*syscall)(long, ...) = nullptr;
  int (*fflush)(FILE*) = nullptr;
  int (*fork)() = nullptr;
  int (*pthread_sigmask)(int, const sigset_t*, sigset_t*) = nullptr;
  int (*sigaction)(int, const struct sigaction*, struct sigaction*) = nullptr;
  void* (*dlopen)(const char*, int) = nullptr;
};

// REQUIRES: find_real_functions() was called.
const RealFunctions& real();
void find_real_functions();

}  // namespace ravel::threads
