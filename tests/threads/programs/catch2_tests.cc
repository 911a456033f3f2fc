// Tests of Catch2, which knows nothing of Ravel.
// needs: catch2/catch.hpp
// compile: -O0
// expect: says "REQUIRE( counter == 2 )" bug assertion -t "loses an update"
// expect: pass -t "holds, [the] \"lock\""
// expect: says "in P.1" bug assertion -t "fails in a thread"
// expect: says "ended so: terminate" bug assertion -t "leaves a thread behind"
// expect: says "boom" bug uncaught_exception -t throws
// expect: bug crash -t crashes
// expect: bug deadlock -t "a fixture deadlocks"
// expect: pass -t "fails as expected"
// expect: pass -t "may fail"
// expect: says "expected to fail, and passes" bug assertion -t "does not fail as expected"
// expect: bug assertion -t hidden
// expect: says "two" bug assertion -t "Scenario: sections are run one after the other"
// expect: pass -t "typed - int"
// expect: bug assertion -t "typed - char"
// expect: bug assertion -t [update]
// expect: refused -t "ends the program"
// expect: error -t [nothing]
// expect: error -t missing
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

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

TEST_CASE("fails in a thread") {
  std::atomic<int> value = 0;
  std::thread thread([&] { CHECK(value == 0); });
  value = 1;
  thread.join();
}

TEST_CASE("leaves a thread behind") {
  std::atomic<int> value = 0;
  std::thread thread([&] { value = 1; });
  REQUIRE(value == 0);
  thread.join();
}

TEST_CASE("throws") {
  std::atomic<int> value = 0;
  std::thread thread([&] { value = 1; });
  const bool is_set = value == 1;
  thread.join();
  if (is_set) throw std::runtime_error("boom");
}

TEST_CASE("crashes") {
  std::atomic<int*> pointer = nullptr;
  static int target = 0;
  std::thread thread([&] { pointer = &target; });
  *pointer.load() = 1;
  thread.join();
}

class Locks {
 protected:
  std::mutex first, second;
};

TEST_CASE_METHOD(Locks, "a fixture deadlocks") {
  std::thread thread([this] {
    std::lock_guard one(first);
    std::lock_guard other(second);
  });
  {
    std::lock_guard one(second);
    std::lock_guard other(first);
  }
  thread.join();
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

SCENARIO("sections are run one after the other") {
  GIVEN("a thread") {
    int value = 0;
    std::thread thread([&] { value = 1; });
    WHEN("one") {
      thread.join();
      REQUIRE(value == 1);
    }
    WHEN("two") {
      const int read = value;
      thread.join();
      THEN("it was quick") { REQUIRE(read == 0); }
    }
  }
}

TEMPLATE_TEST_CASE("typed", "", int, char) { CHECK(sizeof(TestType) == 4); }

TEST_CASE("ends the program") { std::exit(0); }

}  // namespace
