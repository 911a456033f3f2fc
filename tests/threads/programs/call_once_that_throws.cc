// A once function that throws is run again, by the next caller: behind the call that threw, so that what both do is no data race.
// Nor is it for a static local variable whose initialisation throws.
//
// expect: pass -t call_once
// expect: silent "data race" pass -t call_once
// expect: pass -t call_once --races bug
// expect: pass -t call_once --strategy dpor
// expect: pass -t static_variable --races bug

#include <ravel/test.h>

#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

int attempts = 0, successes = 0;

void attempt() {
  if (++attempts == 1) throw std::runtime_error("not yet");
  ++successes;
}

struct Connection {
  Connection() { attempt(); }
};

template <class Function>
void twice_at_once(Function function) {
  const auto try_it = [&] {
    try {
      function();
    } catch (const std::runtime_error&) {
    }
  };
  std::thread other(try_it);
  try_it();
  other.join();
  assert(attempts == 2 && successes == 1);
}

}  // namespace

RAVEL_TEST(call_once) {
  static std::once_flag flag;
  twice_at_once([] { std::call_once(flag, attempt); });
}

RAVEL_TEST(static_variable) {
  twice_at_once([] { static const Connection connection; });
}
