// A library that is not there is not found; one that is there would be loaded in the middle of an execution, which is refused.
//
// expect: executions=300 pass --strategy random --budget 300x
// expect: refused -- libtbbmalloc.so.2 libm.so.6 libmvec.so.1
// compile: -ldl
#include <dlfcn.h>

#include <atomic>
#include <cassert>
#include <thread>

int main(int argc, char** argv) {
  std::atomic<int> turn{0};
  std::thread thread([&] {
    ++turn;
    assert(dlopen("libthere_is_no_such_library.so.7", RTLD_NOW) == nullptr);
    assert(dlerror() != nullptr);
  });
  ++turn;
  thread.join();
  for (int i = 1; i < argc; ++i) dlopen(argv[i], RTLD_NOW);
}
