#include <ravel/test.h>

#include <cassert>
#include <thread>

#include "account.h"

// The race is inside the library, which only an instrumented copy of it shows.
RAVEL_TEST(loses_a_payment) {
  Account account;
  std::thread thread([&] { account.pay(1); });
  account.pay(1);
  thread.join();
  assert(account.balance() == FIRST_BALANCE + 2);
}

RAVEL_TEST(refuses_nothing) {
  Account account;
  account.pay(0);
}

// More schedules than the budget has.
RAVEL_TEST(pays_often) {
  Account account;
  std::thread threads[4];
  for (std::thread& thread : threads)
    thread = std::thread([&] {
      for (int i = 0; i < 4; ++i) account.pay_safely(1);
    });
  for (std::thread& thread : threads) thread.join();
  assert(account.balance() == FIRST_BALANCE + 16);
}
