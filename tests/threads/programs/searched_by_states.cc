// Searches by states: threads that spin, poll, retry and go round for ever; and what is no part of a state.
//
// expect: says "No bug in the 71 states" pass -t spin_lock --strategy states
// expect: says "No bug in the 71 states" pass -t spin_lock --strategy shortest
// expect: bug assertion -t wrong_spin_lock --strategy states
// expect: bug assertion -t wrong_spin_lock --strategy shortest
// expect: pass -t polls_beside_a_worker --strategy states
// expect: pass -t polls_for_ever --strategy states
// expect: says "waits in a loop for a change of flag" bug deadlock -t waits_for_nobody --strategy states
// expect: says "waits in a loop for a change of flag" bug deadlock -t waits_for_nobody --strategy shortest
// expect: pass -t retries --strategy states
// expect: bug assertion -t time_passes_while_one_spins --strategy states
// expect: pass -t sleeps_and_looks --strategy states
// expect: bug deadlock -t sleeps_and_looks_in_vain --strategy states
// expect: bug assertion -t stacks_are_shared --strategy states
// expect: bug data_race -t stacks_are_shared --strategy states --races bug
// expect: race total bug assertion -t race_behind_an_old_state --strategy states
// expect: bug data_race -t race_behind_an_old_state --strategy states --races bug
// expect: pass -t recursive --strategy states
// expect: says "chooses 3 of 3" bug assertion -t chooses --strategy states
// expect: pass -t prints --strategy states
// expect: refused -t writes_a_file --strategy states
// expect: says "by mmap()" refused -t maps --strategy states
// expect: says "64 MB" refused -t allocates_much --strategy states
// expect: says "shows holds = 1" bug assertion -t shows --strategy states
// expect: error -t spin_lock --strategy states --isolate
// expect: error -t spin_lock --strategy states --host-files
// expect: error -t spin_lock --strategy states --early 1
// expect: error -t spin_lock --strategy shortest --bitstate 1
// expect: pass -t spin_lock --strategy states --fingerprints 64
// expect: pass -t spin_lock --strategy states --bitstate 1
#include <fcntl.h>
#include <pthread.h>
#include <ravel.h>
#include <ravel/test.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

std::atomic<int> lock{0}, done{0}, top{0};
std::atomic<bool> flag{false};
int counter = 0, total = 0;
std::mutex mutex;
std::recursive_mutex recursive_mutex;

RAVEL_TEST(spin_lock) {
  const auto work = [] {
    for (int i = 0; i < 2; ++i) {
      while (lock.exchange(1) != 0) {
      }
      ++counter;
      lock.store(0);
    }
  };
  std::thread a(work), b(work);
  a.join(), b.join();
  assert(counter == 4);
}

RAVEL_TEST(wrong_spin_lock) {
  const auto work = [] {
    for (int i = 0; i < 2; ++i) {
      while (lock.load() != 0) {
      }
      lock.store(1);
      ++counter;
      lock.store(0);
    }
  };
  std::thread a(work), b(work);
  a.join(), b.join();
  assert(counter == 4);
}

RAVEL_TEST(polls_beside_a_worker) {
  std::thread poller([] {
    while (!flag.load()) {
    }
  });
  std::thread worker([] {
    for (int i = 0; i < 3; ++i) done.fetch_add(1);
  });
  worker.join();
  assert(done == 3);
  flag = true;
  poller.join();
}

// It does not end before the program does.
RAVEL_TEST(polls_for_ever) {
  std::thread([] {
    while (true) flag.load();
  }).detach();
  std::thread worker([] {
    for (int i = 0; i < 3; ++i) done.fetch_add(1);
  });
  worker.join();
  assert(done == 3);
}

RAVEL_TEST(waits_for_nobody) {
  std::thread poller([] {
    while (!flag.load()) {
    }
  });
  done.fetch_add(1);
  poller.join();
}

RAVEL_TEST(retries) {
  const auto add = [] {
    int old = top.load();
    while (!top.compare_exchange_weak(old, old + 1)) {
    }
  };
  std::thread a(add), b(add), c(add);
  a.join(), b.join(), c.join();
  assert(top == 3);
}

RAVEL_TEST(time_passes_while_one_spins) {
  std::thread poller([] {
    while (!flag.load()) std::this_thread::yield();
    assert(false);
  });
  usleep(1000);
  flag = true;
  poller.join();
}

RAVEL_TEST(sleeps_and_looks) {
  std::thread poller([] {
    while (done.load() < 2) usleep(1000);
  });
  std::thread a([] {
    usleep(3500);
    done++;
  });
  done++;
  a.join(), poller.join();
}

RAVEL_TEST(sleeps_and_looks_in_vain) {
  std::thread poller([] {
    while (!flag.load()) usleep(1000);
  });
  poller.join();
}

RAVEL_TEST(stacks_are_shared) {
  int sum = 0;
  const auto add = [&sum] { ++sum; };
  std::thread a(add), b(add);
  a.join(), b.join();
  assert(sum == 2);
}

// What threads do between operations leads to the same memory in each order.
RAVEL_TEST(race_behind_an_old_state) {
  const auto add = [](int steps) {
    for (int i = 0; i < steps; ++i) {
      const std::lock_guard<std::mutex> guard(mutex);
      done.load();
    }
    total = total + 1;
    for (int i = 0; i < steps; ++i) done.load();
  };
  std::thread a(add, 1), b(add, 2);
  a.join(), b.join();
  assert(total == 2);
}

// How often it is locked comes back with it.
RAVEL_TEST(recursive) {
  const auto work = [] {
    const std::lock_guard<std::recursive_mutex> outer(recursive_mutex), inner(recursive_mutex);
    ++counter;
  };
  std::thread a(work), b(work);
  a.join(), b.join();
  assert(counter == 2);
}

RAVEL_TEST(chooses) { ravel_assert(ravel_choose(3) != 3, "not the last"); }

RAVEL_TEST(prints) {
  const auto say = [] {
    while (!flag.load()) printf("waits\n");
    printf("goes on\n");
  };
  std::thread a(say), b(say);
  flag = true;
  a.join(), b.join();
}

RAVEL_TEST(writes_a_file) {
  const int file = open("file", O_CREAT | O_WRONLY, 0600);
  assert(write(file, "x", 1) == 1);
  close(file);
}

RAVEL_TEST(maps) { mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

RAVEL_TEST(allocates_much) {
  for (int i = 0; i < 100; ++i) {
    void* volatile block = malloc(1 << 20);
    free(block);
  }
}

RAVEL_TEST(shows) {
  std::thread other([] { flag = true; });
  ravel_probe("holds", 1);
  ravel_label("granted");
  ravel_progress();
  ravel_assert(!flag, "the other one is late");
  other.join();
}
