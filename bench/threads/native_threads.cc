// Creates threads that do nothing, one after the other, and joins each: as many as its argument says.
#include <pthread.h>

#include <cstdlib>

static void* nothing(void*) { return nullptr; }

int main(int, char** argv) {
  for (long i = std::atol(argv[1]); i > 0; --i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, nothing, nullptr) != 0) return 1;
    pthread_join(thread, nullptr);
  }
}
