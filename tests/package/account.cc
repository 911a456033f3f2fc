#include "account.h"

#include <mutex>

void check_amount(int amount);

namespace {

std::mutex mutex;

}  // namespace

void Account::pay(int amount) {
  check_amount(amount);
  balance_ = balance_ + amount;
}

void Account::pay_safely(int amount) {
  std::lock_guard lock(mutex);
  pay(amount);
}
