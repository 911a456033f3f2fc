// A thread that reads the same memory twice in a row can be interrupted in between, whatever makes its accesses operations.
//
// expect: bug assertion
// expect: bug assertion --accesses all
// expect: bug assertion --isolate
// expect: bug assertion --track value
// expect: says "races were not looked for" bug assertion --track value --track other
// expect: pass --track other
// expect: pass --accesses sync
// expect: error --track nothing
// expect: error --track value --accesses all
#include <cassert>
#include <thread>

alignas(8) volatile int value = 0;
alignas(8) volatile int other = 0;

int main() {
  std::thread writer([] {
    other = 1;
    value = 1;
    value = 0;
  });
  std::thread reader([] {
    const int first = value;
    const int second = value;
    assert(first == second);
    static_cast<void>(other);
  });
  writer.join();
  reader.join();
}
