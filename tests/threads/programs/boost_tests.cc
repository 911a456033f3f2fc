// Tests of Boost.Test, which knows nothing of Ravel.
// needs: boost/test/unit_test.hpp
// compile: -DBOOST_TEST_DYN_LINK -lboost_unit_test_framework
// expect: says "check counter == 2" bug assertion -t updates/lost
// expect: pass -t updates/locked
// expect: bug assertion -t updates
// expect: bug assertion -t updates/inner
// expect: says "ended so: terminate" bug assertion -t leaves_a_thread_behind
// expect: says "boom" bug uncaught_exception -t throws
// expect: bug deadlock -t deadlocks
// expect: pass -t fails_as_expected
// expect: bug assertion -t fails_more_than_expected
// expect: bug assertion -t disabled_one
// expect: says "some context" bug assertion -t in_a_context
// expect: pass -t typed<int>
// expect: bug assertion -t typed<char>
// expect: pass -t data/_0
// expect: bug assertion -t data/_1
// expect: refused -t ends_the_program
// expect: error -t missing
#define BOOST_TEST_MODULE tests
#include <boost/mpl/list.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

int counter = 0;
std::mutex mutex;

BOOST_AUTO_TEST_SUITE(updates)
BOOST_AUTO_TEST_CASE(lost) {
  std::thread thread([] { counter = counter + 1; });
  counter = counter + 1;
  thread.join();
  BOOST_TEST(counter == 2);
}
BOOST_AUTO_TEST_CASE(locked) {
  const auto add = [] {
    std::lock_guard lock(mutex);
    ++counter;
  };
  std::thread thread(add);
  add();
  thread.join();
  BOOST_CHECK_EQUAL(counter, 2);
}
BOOST_AUTO_TEST_SUITE(inner)
BOOST_AUTO_TEST_CASE(late) {
  std::thread thread([] { counter = 1; });
  BOOST_CHECK(counter == 0);
  thread.join();
}
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(leaves_a_thread_behind) {
  std::atomic<int> value = 0;
  std::thread thread([&] { value = 1; });
  BOOST_REQUIRE_EQUAL(value.load(), 0);
  thread.join();
}

BOOST_AUTO_TEST_CASE(throws) {
  std::atomic<int> value = 0;
  std::thread thread([&] { value = 1; });
  const bool is_set = value == 1;
  thread.join();
  if (is_set) throw std::runtime_error("boom");
}

struct Locks {
  std::mutex first, second;
};

BOOST_FIXTURE_TEST_CASE(deadlocks, Locks) {
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

BOOST_AUTO_TEST_CASE(fails_as_expected, *boost::unit_test::expected_failures(1)) { BOOST_TEST(counter == 1); }
BOOST_AUTO_TEST_CASE(fails_more_than_expected, *boost::unit_test::expected_failures(1)) {
  BOOST_TEST(counter == 1);
  BOOST_TEST(counter == 2);
}
BOOST_AUTO_TEST_CASE(disabled_one, *boost::unit_test::disabled()) { BOOST_TEST(counter == 1); }
BOOST_AUTO_TEST_CASE(in_a_context) {
  BOOST_TEST_CONTEXT("some context") { BOOST_REQUIRE_MESSAGE(counter == 1, "it is not one"); }
}

using Types = boost::mpl::list<int, char>;
BOOST_AUTO_TEST_CASE_TEMPLATE(typed, T, Types) { BOOST_TEST(sizeof(T) == 4u); }

BOOST_DATA_TEST_CASE(data, boost::unit_test::data::xrange(2), number) { BOOST_TEST(number == counter); }

BOOST_AUTO_TEST_CASE(ends_the_program) { std::exit(0); }

}  // namespace
