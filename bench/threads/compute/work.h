// Two threads that do the same work again and again, as often as the first argument says, and three shared variables:
// `progress` is changed by each thread after each piece of work, `result` once more in each thread, `idle` never.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

[[gnu::used]] alignas(64) inline int progress = 0;
[[gnu::used]] alignas(64) inline double result = 0;
[[gnu::used]] alignas(64) inline int idle = 0;

template <typename Work>
int run(int argc, char** argv, Work work) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  std::mutex mutex;
  const auto body = [&](int thread) {
    double sum = 0;
    for (int round = 0; round < rounds; ++round) {
      sum += work(thread, round);
      const std::lock_guard<std::mutex> lock(mutex);
      ++progress;
    }
    const std::lock_guard<std::mutex> lock(mutex);
    result += sum;
  };
  std::thread one(body, 0), other(body, 1);
  one.join();
  other.join();
  std::printf("%d %g\n", progress, result);
  return 0;
}
