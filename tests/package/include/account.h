#pragma once

class Account {
 public:
  // Nothing orders two calls.
  void pay(int amount);
  // These can be called by several threads.
  void pay_safely(int amount);
  int balance() const { return balance_; }

 private:
  int balance_ = FIRST_BALANCE;
};
