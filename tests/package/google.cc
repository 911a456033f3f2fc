#include <gtest/gtest.h>

#include <thread>

#include "account.h"

TEST(Account, LosesAPayment) {
  Account account;
  std::thread thread([&] { account.pay(1); });
  account.pay(1);
  thread.join();
  EXPECT_EQ(account.balance(), FIRST_BALANCE + 2);
}

TEST(Account, PaysSafely) {
  Account account;
  std::thread thread([&] { account.pay_safely(1); });
  account.pay_safely(1);
  thread.join();
  EXPECT_EQ(account.balance(), FIRST_BALANCE + 2);
}

TEST(Account, DISABLED_IsNotRun) { FAIL(); }
