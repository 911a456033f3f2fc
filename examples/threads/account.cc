// Two deposits that each read the balance and write it in two critical sections: the lock is held at every access, and
// still one deposit can be lost.
//
// expect: bug assertion
// expect: bug assertion --strategy dfs
// expect: bug assertion --strategy random --seed 1
#include <pthread.h>

#include <cassert>

namespace {

int balance = 100;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void* deposit(void*) {
  pthread_mutex_lock(&mutex);
  const int before = balance;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  balance = before + 10;
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

}  // namespace

int main() {
  pthread_t first, second;
  pthread_create(&first, nullptr, deposit, nullptr);
  pthread_create(&second, nullptr, deposit, nullptr);
  pthread_join(first, nullptr);
  pthread_join(second, nullptr);
  assert(balance == 120);
}
