#include <cstdlib>
#include <cstring>
#include <thread>

#include "account.h"

int main(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], "two words") != 0) return 2;
  const int amount = std::atoi(argv[2]);
  Account account;
  std::thread thread([&] { account.pay_safely(amount); });
  account.pay_safely(amount);
  thread.join();
  return account.balance() == FIRST_BALANCE + 2 * amount ? 0 : 1;
}
