#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <thread>

#include "account.h"

TEST_CASE("loses; a payment, \"always\"  [x]") {
  Account account;
  std::thread thread([&] { account.pay(1); });
  account.pay(1);
  thread.join();
  CHECK(account.balance() == FIRST_BALANCE + 2);
}

SCENARIO("pays safely") {
  Account account;
  std::thread thread([&] { account.pay_safely(1); });
  account.pay_safely(1);
  thread.join();
  CHECK(account.balance() == FIRST_BALANCE + 2);
}

TEST_CASE("is skipped" * doctest::skip()) { FAIL(""); }
