// A transfer takes from one account and adds to another one, and locks only the one that it takes from.
//
// expect: priority_changes=1 variables=1 threads=2 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  long balance = 100;
};

static Account accounts[2];

static void transfer(Account& from, Account& to, long amount) {
  const std::lock_guard<std::mutex> lock(from.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread one([] { transfer(accounts[0], accounts[1], 30); });
  std::thread other([] { transfer(accounts[1], accounts[0], 20); });
  one.join();
  other.join();
  assert(accounts[0].balance == 90 && accounts[1].balance == 110);
}
