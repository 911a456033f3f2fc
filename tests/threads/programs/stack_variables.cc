// Objects on stacks are called by the variables that they are, and by the thread if it is not the main one: also what is reached through
// references, parts of a variable, and variables of functions that are compiled in place.
// expect: says "locks mutex main::mutex" bug assertion
// expect: says "data race on main::account+8" bug assertion
// expect: says "writes main::account+8 = 110" bug assertion
// expect: says "updates serve::requests of P.2 from 0 to 1" bug assertion
// expect: silent "0x" bug assertion

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  long number = 7;
  long balance = 100;
};

static void pay(Account& account, std::mutex& mutex, long amount) {
  std::unique_lock lock(mutex);
  const long before = account.balance;
  lock.unlock();
  account.balance = before + amount;
}

static void serve() {
  std::atomic<int> requests{0};
  std::thread client([&] { ++requests; });
  client.join();
  assert(requests == 1);
}

int main() {
  Account account;
  std::mutex mutex;
  std::thread other([&] { pay(account, mutex, 10); });
  std::thread server(serve);
  pay(account, mutex, 20);
  other.join();
  server.join();
  assert(account.balance == 130);
}
