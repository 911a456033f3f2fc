#include "threads/runtime/real.h"

#include <dlfcn.h>

#include "base/check.h"

namespace ravel::threads {

namespace {

RealFunctions functions;

template <class Function>
void find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  CHECK_MESSAGE(function != nullptr, name);
}

}  // namespace

const RealFunctions& real() { return functions; }

void find_real_functions() {
  find(functions.pthread_create, "pthread_create");
  find(functions.clock_gettime, "clock_gettime");
  find(functions.syscall, "syscall");
  find(functions.fflush, "fflush");
  find(functions.fork, "fork");
  find(functions.pthread_sigmask, "pthread_sigmask");
  find(functions.sigaction, "sigaction");
  find(functions.dlopen, "dlopen");
}

}  // namespace ravel::threads
