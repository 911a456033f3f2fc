// Tests of Catch2 of version 3; catch2_tests.cc has more, of version 2.
// needs: catch2/catch_test_macros.hpp
// compile: -lCatch2Main -lCatch2
// expect: says "REQUIRE( counter == 2 )" bug assertion -t "loses an update"
// expect: pass -t "holds, [the] \"lock\""
// expect: says "boom" bug uncaught_exception -t throws
// expect: pass -t "fails as expected"
// expect: pass -t "may fail"
// expect: says "expected to fail, and passes" bug assertion -t "does not fail as expected"
// expect: bug assertion -t hidden
// expect: pass -t "typed - int"
// expect: bug assertion -t [update]
// expect: refused -t "ends the program"
// expect: error -t [nothing]
// expect: error -t missing
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

int counter = 0;
std::mutex mutex;

TEST_CASE("loses an update", "[update]") {
  std::thread thread([] { counter = counter + 1; });
  counter = counter + 1;
  thread.join();
  REQUIRE(counter == 2);
}

TEST_CASE("holds, [the] \"lock\"", "[lock]") {
  const auto add = [] {
    std::lock_guard lock(mutex);
    ++counter;
  };
  std::thread thread(add);
  add();
  thread.join();
  REQUIRE(counter == 2);
}

TEST_CASE("throws") {
  std::atomic<int> value = 0;
  std::thread thread([&] { value = 1; });
  const bool is_set = value == 1;
  thread.join();
  if (is_set) throw std::runtime_error("boom");
}

TEST_CASE("fails as expected", "[!shouldfail]") {
  CHECK(counter == 1);
  CHECK(counter == 2);
}
TEST_CASE("may fail", "[!mayfail]") {
  std::thread thread([] { counter = 1; });
  CHECK(counter == 0);
  thread.join();
}
TEST_CASE("does not fail as expected", "[!shouldfail]") { CHECK(counter == 0); }
TEST_CASE("hidden", "[.][slow]") { CHECK(counter == 1); }

TEMPLATE_TEST_CASE("typed", "", int, char) { CHECK(sizeof(TestType) <= 4); }

TEST_CASE("ends the program") { std::exit(0); }

}  // namespace
