// A set whose single operations are locked, and that notices if it is changed while somebody goes through it: adding all values
// of another set locks this one only, as the synchronized collections of Java do.
#pragma once

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

template <typename Values>
class FailFastSet {
 public:
  void add(int value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    insert(value);
  }

  void add_all(const FailFastSet& other) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const int expected = other.changes_;
    for (const int value : other.values_) {
      assert(other.changes_ == expected && "the set was changed while it was gone through");
      insert(value);
    }
  }

 private:
  void insert(int value) {
    if (values_.insert(value).second) ++changes_;
  }

  std::mutex mutex_;
  Values values_;
  int changes_ = 0;
};

// Half of the threads add to one set all of the other one, to which the other half adds: the first of them what is new, others
// what is there.
template <typename Values>
void use_from(int threads) {
  static FailFastSet<Values> one, other;
  for (int value = 0; value < 2; ++value) other.add(value);
  std::vector<std::thread> users;
  for (int i = 0; i < threads; ++i)
    users.emplace_back([i] {
      if (i % 2 == 0) one.add_all(other);
      else other.add(i < 16 ? 100 + i : 0);
    });
  for (std::thread& user : users) user.join();
}
