// Threads that make threads: names, and so tickets, do not depend on the order in which they were seen.
//
// expect: bug assertion
// expect: bug assertion --strategy random --seed 3
// expect: bug assertion --isolate --budget 20000x
#include <cassert>
#include <thread>

static int shared = 0;

static void leaf(int add) { shared += add; }
static void branch(int add) {
  std::thread first(leaf, add), second(leaf, add);
  first.join();
  second.join();
}

int main() {
  std::thread left(branch, 1), right(branch, 10);
  left.join();
  right.join();
  assert(shared == 22);
}
