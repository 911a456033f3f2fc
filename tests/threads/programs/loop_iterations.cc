// Blocks of the heap as variables: by the calls that allocate them, and how many these had allocated before.
//
// The list has its last node first, so its first node is met last.
//
// expect: iterations=0 variables=1 says "stopped at the first bug, in execution 10." bug assertion -t first_node --strategy vt
// expect: iterations=0 says "stopped at the first bug, in execution 10." bug assertion -t first_node --strategy vt --isolate
// expect: iterations=0 says "stopped at the first bug, in execution 10." bug assertion -t first_node --strategy vt --iterations 0
// expect: says "preempted at accesses to block 1 of loop_iterations.cc:63+8" bug assertion -t first_node --strategy vt
// expect: says "at most 1 of 12 variables that needs" bug assertion -t last_node --strategy vt
// expect: iterations=11 bug assertion -t last_node --strategy vt
// expect: pass -t last_node --strategy vt --iterations 10
// expect: pass -t last_node --strategy vt --iterations 10 --isolate
// expect: iterations=11 bug assertion -t last_node --strategy vt --iterations 11
// expect: iterations=11 bug assertion -t last_node --strategy vt --iterations 11 --arrays whole --isolate
// expect: pass -t last_node --strategy preemption --preemptions 1 --variables 1 --iterations 10
// expect: bug assertion -t last_node --strategy preemption --preemptions 1 --variables 1 --iterations 11
// expect: says "Q = 1, v = 1" bug assertion -t last_node --strategy pct --variables 1
// expect: says "Q = 1, v = 1" bug assertion -t last_node --strategy pct --variables 1 --isolate
// expect: says "Q = 2, v = 1" bug assertion -t two_statements --strategy pct --variables 1
// expect: says "Q = 2, v = 1" bug assertion -t two_statements --strategy pct --variables 1 --isolate
//
// Which of two threads allocates first does not matter: there is the mutex, and one counter.
// expect: says "at most 1 of 2 variables that needs" bug assertion -t whoever_is_first --strategy vt --preemptions 2 --keep-going
// expect: says "at most 1 of 2 variables that needs" bug assertion -t whoever_is_first --strategy vt --preemptions 2 --keep-going --isolate
// expect: says "preempted at accesses to block 1 of loop_iterations.cc:85" bug assertion -t whoever_is_first --strategy vt
//
// expect: error -t first_node --strategy pct --variables 1 --iterations 1
// expect: error -t first_node --strategy preemption --iterations 1
// expect: error -t first_node --strategy random --iterations 1
// expect: error -t first_node --strategy vt --iterations -1
#include <ravel/test.h>

#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Node {
  Node* next;
  std::atomic<int> visits{0};
  bool loses_visits;
};

constexpr int kNodes = 12;

void visit(Node* first) {
  for (Node* node = first; node != nullptr; node = node->next) {
    if (node->loses_visits) {
      const int visits = node->visits;
      node->visits = visits + 1;
    } else {
      ++node->visits;
    }
  }
}

void visit_twice(int bad) {
  Node* first = nullptr;
  for (int i = 0; i < kNodes; ++i) {
    first = new Node{.next = first, .loses_visits = i == bad};
  }
  std::thread one(visit, first), other(visit, first);
  one.join();
  other.join();
  for (Node* node = first; node != nullptr; node = node->next) assert(node->visits == 2);
}

}  // namespace

RAVEL_TEST(first_node) { visit_twice(0); }
RAVEL_TEST(last_node) { visit_twice(kNodes - 1); }

namespace {

std::mutex gate;
std::atomic<int>* counter = nullptr;

// Whoever comes first makes the counter.
void count() {
  {
    const std::lock_guard lock(gate);
    if (counter == nullptr) counter = new std::atomic<int>(0);
  }
  const int before = *counter;
  *counter = before + 1;
}

}  // namespace

RAVEL_TEST(whoever_is_first) {
  std::thread one(count), other(count);
  one.join();
  other.join();
  assert(*counter == 2);
}

// Two statements of the program call the same function of a header, which allocates.
RAVEL_TEST(two_statements) {
  const auto first = std::make_unique<std::atomic<int>>(0);
  const auto second = std::make_unique<std::atomic<int>>(0);
  const auto add = [&] {
    ++*first;
    const int before = *second;
    *second = before + 1;
  };
  std::thread one(add), other(add);
  one.join();
  other.join();
  assert(*second == 2);
}
