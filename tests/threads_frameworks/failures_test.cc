// What frameworks say of a failure, as their versions print it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "threads/frameworks/test_framework.h"

namespace ravel::threads {
namespace {

std::optional<RawBug> find(TestKind kind, std::string_view output) {
  return find_framework(kind)->find_failure(output);
}

std::string told(TestKind kind, std::string_view output) {
  const auto bug = find(kind, output);
  return bug ? bug->kind + " " + bug->file + ":" + std::to_string(bug->line) + " " + bug->message : "none";
}

TEST(Failures, Catch2TellsTheFirstOneWithoutItsValues) {
  EXPECT_EQ(told(TestKind::kCatch2,
                 "Filters: a\n\n.....\n\nd/c2.cc:10: FAILED:\n  REQUIRE( counter == 2 )\nwith expansion:\n  "
                 "1 == 2\nwith message:\n  m\n\nc2.cc:12: "
                 "FAILED:\n  CHECK( 1 == 2 )\n\n===\ntest cases: 1 | 1 failed\n"),
            "assertion d/c2.cc:10 REQUIRE( counter == 2 )");
  EXPECT_EQ(
      told(TestKind::kCatch2, "c2.cc:16: FAILED:\ndue to unexpected exception with message:\n  boom\n\n"),
      "uncaught_exception c2.cc:16 due to unexpected exception with message: boom");
  EXPECT_EQ(told(TestKind::kCatch2,
                 "c2.cc:16: FAILED:\n  REQUIRE_NOTHROW( f() )\ndue to unexpected exception with message:\n  "
                 "boom\n\n"),
            "assertion c2.cc:16 REQUIRE_NOTHROW( f() ) due to unexpected exception with message");
  EXPECT_EQ(told(TestKind::kCatch2, "c2.cc:16: FAILED:\nexplicitly with message:\n  no way\n\n"),
            "assertion c2.cc:16 explicitly with message: no way");
}

TEST(Failures, Catch2sAllowedOnesAreNone) {
  EXPECT_EQ(told(TestKind::kCatch2,
                 "c2.cc:16: FAILED - but was ok:\n  CHECK_NOFAIL( 1 == 2 )\n\nAll tests passed (1 assertion "
                 "in 1 test case)\n"),
            "none");
  EXPECT_EQ(told(TestKind::kCatch2, "\n===\ntest cases: 1 | 1 failed\nassertions: 2 | 1 passed | 1 failed\n"),
            "assertion :0 the test case is expected to fail, and passes");
  EXPECT_EQ(told(TestKind::kCatch2, "somebody prints this: FAILED:\nAll tests passed"), "none");
}

TEST(Failures, DoctestTellsTheFirstOneWithoutItsValues) {
  const auto bug = find(
      TestKind::kDoctest,
      "TEST CASE:  a\n\nd.cc:9: WARNING: WARN( x ) is NOT correct!\n  values: WARN( 0 )\n\nd.cc:10: FATAL "
      "ERROR: REQUIRE( counter == 2 ) is NOT correct!\n"
      "  values: REQUIRE( 1 == 2 )\n  logged: m\n\n===\n[doctest] test cases: 1 | 0 passed | 1 failed\n");
  ASSERT_TRUE(bug);
  EXPECT_EQ(bug->message, "REQUIRE( counter == 2 )");
  EXPECT_EQ(bug->line, 10u);
  EXPECT_THAT(bug->details,
              testing::ElementsAre("REQUIRE( counter == 2 )", "  values: REQUIRE( 1 == 2 )", "  logged: m"));
  EXPECT_EQ(told(TestKind::kDoctest, "d.cc:17: ERROR: test case THREW exception: boom\n\n"),
            "uncaught_exception d.cc:17 test case THREW exception: boom");
  EXPECT_EQ(told(TestKind::kDoctest,
                 "d.cc:16: ERROR: CHECK( 1 == 2 ) is NOT correct!\n\nDidn't fail exactly 2 times so marking "
                 "it as failed!\n"),
            "assertion :0 Didn't fail exactly 2 times");
  EXPECT_EQ(told(TestKind::kDoctest, "\nShould have failed but didn't! Marking it as failed!\n"),
            "assertion :0 Should have failed but didn't! Marking it as failed!");
}

TEST(Failures, BoostTestTellsTheFirstOneWithItsPlace) {
  EXPECT_EQ(told(TestKind::kBoostTest,
                 "Running 1 test case...\nb.cc(13): error: in \"suite/loses\": check counter == 2 has failed "
                 "[1 != 2]\n"),
            "assertion b.cc:13 check counter == 2");
  EXPECT_EQ(told(TestKind::kBoostTest,
                 "unknown location(0): fatal error: in \"throws\": std::runtime_error: boom\nb.cc(19): last "
                 "checkpoint: \"throws\" test entry\n"),
            "uncaught_exception b.cc:19 std::runtime_error: boom");
  EXPECT_EQ(told(TestKind::kBoostTest,
                 "b.cc(20): fatal error: in \"req\": no way\nFailure occurred in a following context:\n    "
                 "ctx\nmore"),
            "assertion b.cc:20 no way");
  EXPECT_EQ(told(TestKind::kBoostTest, "b.cc(20): warning: in \"req\": condition x is not satisfied\n"),
            "none");
}

TEST(Failures, GoogleTestTellsTheLastOne) {
  EXPECT_EQ(told(TestKind::kGoogleTest,
                 "a.cc:3: Failure\nold\na.cc:34: Failure\nExpected equality of these values:\n  counter\n    "
                 "Which is: 1\n  2\n"),
            "assertion a.cc:34 Expected equality of these values: counter, 2");
}

TEST(Failures, ATestHasRunIfItsFrameworkSaysSo) {
  const auto has_run = [](TestKind kind, std::string_view output) {
    return find_framework(kind)->has_run_test(output);
  };
  EXPECT_TRUE(
      has_run(TestKind::kCatch2, "Filters: a\n====\nAll tests passed (1 assertion in 1 test case)\n\n"));
  EXPECT_FALSE(
      has_run(TestKind::kCatch2, "Filters: nix\nNo test cases matched 'nix'\n===\nNo tests ran\n\n"));
  EXPECT_TRUE(has_run(TestKind::kDoctest, "[doctest] test cases:  1 |  1 passed | 0 failed | 11 skipped\n"));
  EXPECT_FALSE(has_run(TestKind::kDoctest, "[doctest] test cases: 0 | 0 passed | 0 failed | 11 skipped\n"));
  EXPECT_FALSE(has_run(TestKind::kDoctest, "[doctest] listing"));
  EXPECT_TRUE(has_run(
      TestKind::kBoostTest,
      "Running 1 test case...\n\nTest module \"mine\" has passed with:\n  1 test case out of 8 passed\n"));
  EXPECT_FALSE(has_run(TestKind::kBoostTest, "Running 1 test case...\n"));
  EXPECT_FALSE(has_run(TestKind::kBoostTest,
                       "Test setup error: no test cases matching filter or all test cases were disabled\n"));
}

}  // namespace
}  // namespace ravel::threads
