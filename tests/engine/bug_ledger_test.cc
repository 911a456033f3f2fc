// Distinct bugs with their simplest schedules, and what becomes of those of two searches.

#include "engine/bug_ledger.h"

#include <gtest/gtest.h>

#include <string>

namespace ravel {
namespace {

Bug bug(const std::string& message) {
  return {.kind = "assertion", .message = message, .file = "a.erl", .line = 3, .actor = "P", .details = {}};
}

std::vector<Transition> steps(std::size_t count) { return std::vector<Transition>(count); }

TEST(BugLedger, KeepsTheSimplestScheduleOfEachBug) {
  BugLedger ledger;
  FoundBug* found = ledger.note(bug("x"), {.preemptions = 2, .events = 9}, 5);
  ASSERT_NE(found, nullptr);
  found->schedule = steps(9);
  EXPECT_EQ(ledger.note(bug("x"), {.preemptions = 2, .events = 9}, 6), nullptr);
  EXPECT_EQ(ledger.note(bug("x"), {.early = 1, .preemptions = 0, .events = 3}, 7), nullptr);
  found = ledger.note(bug("x"), {.preemptions = 1, .events = 12}, 8);
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->schedule.empty());
  found->schedule = steps(12);
  ASSERT_NE(ledger.note(bug("y"), {.events = 1}, 9), nullptr);
  ASSERT_EQ(ledger.bugs().size(), 2u);
  EXPECT_EQ(ledger.bugs()[0].executions, 4u);
  EXPECT_EQ(ledger.bugs()[0].first_execution, 5u);
  EXPECT_EQ(ledger.bugs()[0].preemptions, 1u);
  EXPECT_EQ(ledger.last()->bug.message, "y");
  EXPECT_EQ(ledger.find(bug("z")), nullptr);
}

TEST(BugLedger, MergesWhatAnotherSearchHasFound) {
  const auto found = [](const std::string& message, std::uint32_t preemptions, std::uint64_t executions,
                        std::uint64_t first) {
    return FoundBug{.bug = bug(message),
                    .schedule = steps(4),
                    .preemptions = preemptions,
                    .executions = executions,
                    .first_execution = first};
  };
  BugLedger ledger({found("x", 2, 3, 10), found("y", 0, 1, 20)});
  const std::vector<FoundBug> later = {found("y", 1, 5, 1), found("x", 1, 4, 2), found("z", 0, 1, 3)};
  ledger.merge(later);
  const std::vector<FoundBug>& bugs = ledger.bugs();
  ASSERT_EQ(bugs.size(), 3u);
  EXPECT_EQ(bugs[0].preemptions, 1u);  // the simpler one of the later search
  EXPECT_EQ(bugs[0].executions, 7u);
  EXPECT_EQ(bugs[0].first_execution, 10u);
  EXPECT_EQ(bugs[1].preemptions, 0u);
  EXPECT_EQ(bugs[1].executions, 6u);
  EXPECT_EQ(bugs[2].bug.message, "z");
}

}  // namespace
}  // namespace ravel
