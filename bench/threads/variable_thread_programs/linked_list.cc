// Two threads put values at the end of a list: finding the last node and hanging the new one there is not atomic.
//
// expect: priority_changes=1 variables=1 threads=2 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <cassert>
#include <thread>

struct Node {
  int value = 0;
  Node* next = nullptr;
};

static Node* head = new Node;

static void add_last(int value) {
  Node* last = head;
  while (last->next != nullptr) last = last->next;
  last->next = new Node{value, nullptr};
}

int main() {
  const auto build = [](int from) {
    for (int i = 0; i < 3; ++i) add_last(from + i);
  };
  std::thread one(build, 10), other(build, 20);
  one.join();
  other.join();
  int nodes = 0;
  for (const Node* node = head->next; node != nullptr; node = node->next) ++nodes;
  assert(nodes == 6);
}
