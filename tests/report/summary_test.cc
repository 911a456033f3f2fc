// The sentences claim exactly what the search has established.

#include "report/summary.h"
#include "report/test_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explorer.h"
#include "engine/ticket.h"
#include "report/verdict.h"
#include "tests/toy/reference.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using toy::Op;
using toy::ToySystem;

SearchResult exploration(Stop stop, Coverage coverage, std::uint64_t executions, std::size_t bugs = 0) {
  SearchResult result;
  result.strategy = "random walk, seed 7";
  result.stop = stop;
  result.counts.executions = executions;
  result.counts.events = 4000;
  result.counts.events_max = 12;
  result.counts.seconds = 0.021;
  result.counts.coverage = coverage;
  for (std::size_t i = 0; i < bugs; ++i) {
    result.bugs.push_back(
        {.bug = {}, .schedule = {}, .preemptions = 1, .executions = 1, .first_execution = 1234});
  }
  return result;
}

Coverage all() { return all_of(CoverageUnit::kSchedules); }
Coverage bounded(std::optional<std::uint32_t> bound) {
  return all_of(CoverageUnit::kSchedules, {{.on = BoundOn::kPreemptions, .completed = bound, .current = 3}});
}
Coverage sample() { return {}; }

std::string first_line(const SearchResult& result) {
  const std::string text = summarize(result);
  return text.substr(0, text.find('\n'));
}

TEST(Summary, SaysThatACompleteSearchFoundNothing) {
  EXPECT_EQ(first_line(exploration(Stop::kComplete, all(), 12)), "No bug in any of the 12 schedules.");
  EXPECT_EQ(first_line(exploration(Stop::kComplete, all(), 1)), "No bug in the only schedule.");
  EXPECT_EQ(first_line(exploration(Stop::kComplete, bounded(2), 1700)),
            "No bug with at most 2 preemptions; 1,700 schedules.");
  EXPECT_EQ(first_line(exploration(Stop::kComplete, bounded(1), 1)),
            "No bug with at most 1 preemption; 1 schedule.");
}

TEST(Summary, SaysHowLikelyHashesOfStatesHaveLeftSomeOut) {
  const auto of_states = [](Stop stop, HashedStates hashed, std::size_t bugs, std::vector<Bound> bounds) {
    SearchResult result = exploration(stop, all_of(CoverageUnit::kStates, std::move(bounds)), 3, bugs);
    result.counts.states = StateCounts{.states = 12'345, .transitions = 20'000, .depth = 100, .bytes = 1};
    result.counts.hashed = hashed;
    result.counts.coverage.is_complete = stop == Stop::kComplete && hashed.omitted < 1;
    return result;
  };
  const HashedStates rarely{.hash_bits = 64, .omitted = 4.1e-12};
  const HashedStates often{.hash_bits = 0, .filter_bits = 123'450, .omitted = 1234.4};
  const SearchResult passed = of_states(Stop::kComplete, rarely, 0, {});
  EXPECT_EQ(first_line(passed),
            "No bug in the 12,345 states visited; the chance that a state was left out is 4e-12.");
  EXPECT_EQ(verdict_of(passed), Verdict::kPass);
  const SearchResult partly = of_states(Stop::kComplete, often, 0, {});
  EXPECT_EQ(first_line(partly),
            "No bug in the 12,345 states visited; about 1,234 more states may have been taken for others and "
            "left out, with what only they lead to.");
  EXPECT_THAT(summarize(partly), HasSubstr(", 10.0 bits of the filter for each, "));
  EXPECT_EQ(verdict_of(partly), Verdict::kIncomplete);
  EXPECT_EQ(first_line(of_states(Stop::kComplete, rarely, 2, {})),
            "2 distinct bugs in the 12,345 states visited; the chance that a state was left out is 4e-12.");
  const std::vector<Bound> nearest = {{.on = BoundOn::kEvents, .completed = 7}};
  EXPECT_EQ(first_line(of_states(Stop::kFirstBug, rarely, 1, nearest)),
            "The search stopped at the first bug, after 12,345 states; there is none with at most 7 events; "
            "the chance that a state was left out is 4e-12.");
  EXPECT_EQ(first_line(of_states(Stop::kTimeBudget, rarely, 0, nearest)),
            "The budget of time ended the search: no bug in the 12,345 states tried; among them are all with "
            "at most 7 events; the chance that a state was left out is 4e-12.");
  EXPECT_EQ(first_line(of_states(Stop::kTimeBudget, often, 0, {})),
            "The budget of time ended the search: no bug in the 12,345 states tried; others were not tried.");
}

TEST(Summary, DoesNotClaimThatASampleIsEverything) {
  EXPECT_EQ(first_line(exploration(Stop::kComplete, sample(), 1000)),
            "No bug in 1,000 executions of the random walk, seed 7; other schedules were not tried.");
}

TEST(Summary, SaysWhatAStoppedSearchHasCovered) {
  EXPECT_EQ(
      first_line(exploration(Stop::kTimeBudget, all(), 5120)),
      "The budget of time ended the search: no bug in the 5,120 schedules tried; others were not tried.");
  EXPECT_EQ(first_line(exploration(Stop::kExecutionBudget, bounded(1), 500)),
            "The budget of executions ended the search: no bug in the 500 schedules tried; among them are "
            "all with at "
            "most 1 preemption.");
  EXPECT_EQ(first_line(exploration(Stop::kInterrupted, bounded({}), 1)),
            "The search was interrupted: no bug in the only schedule tried; others were not tried.");
  EXPECT_EQ(first_line(exploration(Stop::kTimeBudget, all(), 0)),
            "The budget of time ended the search before an execution was complete.");
}

TEST(Summary, SaysWhereSomethingMayHaveBeenLeftOut) {
  Coverage unsure = all_of(CoverageUnit::kTraces);
  unsure.is_complete = false;
  EXPECT_EQ(
      first_line(exploration(Stop::kComplete, unsure, 1700)),
      "No bug in the 1,700 traces tried, of which there were too many to be sure that none was left out.");
  EXPECT_EQ(first_line(exploration(Stop::kComplete, unsure, 1700, 1)),
            "1 distinct bug in the 1,700 traces tried, of which there were too many to be sure that none was "
            "left out.");
  EXPECT_EQ(verdict_of(exploration(Stop::kComplete, unsure, 1700)), Verdict::kIncomplete);
  EXPECT_EQ(verdict_of(exploration(Stop::kComplete, sample(), 1700)), Verdict::kPass);
}

TEST(Summary, CountsTheBugs) {
  EXPECT_EQ(first_line(exploration(Stop::kComplete, all(), 12, 2)),
            "2 distinct bugs in the 12 schedules, which are all there are.");
  EXPECT_EQ(first_line(exploration(Stop::kComplete, bounded(2), 12, 1)),
            "1 distinct bug with at most 2 preemptions; 12 schedules.");
  EXPECT_EQ(first_line(exploration(Stop::kFirstBug, all(), 1234, 1)),
            "The search stopped at the first bug, in schedule 1,234.");
  EXPECT_EQ(first_line(exploration(Stop::kFirstBug, bounded(0), 1234, 1)),
            "The search stopped at the first bug, in schedule 1,234; there is none without a preemption.");
  EXPECT_EQ(first_line(exploration(Stop::kInterrupted, all(), 20, 1)),
            "The search was interrupted: 1 distinct bug in the 20 schedules tried; others were not tried.");
}

TEST(Summary, AddsTheCounts) {
  SearchResult result = exploration(Stop::kComplete, all(), 12);
  EXPECT_THAT(summarize(result), HasSubstr("\n12 executions, 4,000 events (at most 12 in one), 0.02 s\n"));
  result.counts.redundant = 1;
  EXPECT_THAT(summarize(result), HasSubstr("; 1 more execution repeated\n"));
}

TEST(Verdict, OfSeveralTestsIsTheWorst) {
  using enum Verdict;
  EXPECT_EQ(overall(std::vector{kPass, kPass}), kPass);
  EXPECT_EQ(overall(std::vector{kPass, kIncomplete}), kIncomplete);
  EXPECT_EQ(overall(std::vector{kIncomplete, kUnsupported}), kUnsupported);
  EXPECT_EQ(overall(std::vector{kUnsupported, kBug, kPass}), kBug);
}

TEST(TestTable, SaysWhatIsCounted) {
  const Coverage traces = all_of(CoverageUnit::kTraces);
  const TestReport of_traces{.test = "m:a", .result = exploration(Stop::kComplete, traces, 3), .tickets = {}};
  const TestReport of_schedules{
      .test = "m:b", .result = exploration(Stop::kComplete, all(), 3), .tickets = {}};
  EXPECT_THAT(describe_tests(std::vector{of_traces}, Colour::kOff), HasSubstr("verdict  traces"));
  EXPECT_THAT(describe_tests(std::vector{of_schedules}, Colour::kOff), HasSubstr("verdict  schedules"));
  EXPECT_THAT(describe_tests(std::vector{of_traces, of_schedules}, Colour::kOff),
              AllOf(HasSubstr("verdict     searched"), HasSubstr("pass        3 traces"),
                    HasSubstr("pass     3 schedules")));
  TestReport skipped;
  skipped.skipped = "not today";
  EXPECT_THAT(describe_tests(std::vector{of_traces, skipped}, Colour::kOff), HasSubstr("verdict  traces"));
}

TEST(TestTable, HasALineForEachTestAndASentence) {
  const std::vector<TestReport> tested = {
      {.test = "m:start_test", .result = exploration(Stop::kComplete, all(), 3), .tickets = {}},
      {.test = "m:two_test", .result = exploration(Stop::kFirstBug, bounded(1), 1200, 1), .tickets = {""}},
      {.test = "m:long_test", .result = exploration(Stop::kTimeBudget, bounded({}), 9), .tickets = {}}};
  EXPECT_EQ(describe_tests(tested, Colour::kOff),
            R"(test          verdict     schedules  preemptions    time
m:start_test  pass                3          all  0.02 s
m:two_test    1 bug           1,200            1  0.02 s
m:long_test   incomplete          9            -  0.02 s

3 tests: 1 passes, 1 has a bug, 1 is not complete.
)");
}

TEST(Verdict, GivesEachResultItsExitStatus) {
  EXPECT_EQ(exit_status(verdict_of(exploration(Stop::kComplete, all(), 1))), 0);
  EXPECT_EQ(exit_status(verdict_of(exploration(Stop::kFirstBug, all(), 1, 1))), 1);
  EXPECT_EQ(exit_status(verdict_of(exploration(Stop::kComplete, all(), 1, 1))), 1);
  EXPECT_EQ(exit_status(verdict_of(exploration(Stop::kTimeBudget, all(), 1, 1))), 1);
  EXPECT_EQ(exit_status(Verdict::kError), 2);
  EXPECT_EQ(exit_status(verdict_of(exploration(Stop::kTimeBudget, all(), 1))), 3);
  EXPECT_EQ(exit_status(verdict_of(exploration(Stop::kExecutionBudget, all(), 1))), 3);
  EXPECT_EQ(exit_status(verdict_of(exploration(Stop::kInterrupted, all(), 1))), 3);
  EXPECT_EQ(exit_status(verdict_of(exploration(Stop::kUnsupported, all(), 1))), 4);
  EXPECT_EQ(to_string(Verdict::kIncomplete), "incomplete");
}

// P is preempted between its write and its check, and P.1 has given nothing.
struct Example {
  Example() : system(toy::Program{{{Op::kWrite, 0}, {Op::kRequire, 0}}, {{Op::kWrite, 1}, {Op::kGive, 0}}}) {
    const auto step = [&](const char* name) {
      return Transition{.actor = *system.find_actor(*ActorName::parse(name)),
                        .alternative = 0,
                        .kind = TransitionKind::kOperation};
    };
    const std::vector<Transition> schedule = {step("P"), step("P.1"), step("P")};
    recording = record(system, schedule, 100);
    found.schedule = name_steps(schedule, system);
    found.bug = *recording.bug;
    found.preemptions = recording.preemptions;
  }
  ToySystem system;
  NamedBug found;
  Recording recording;
};

TEST(BugReport, TellsTheStoryOfTheSchedule) {
  Example example;
  example.recording.output = "hello\nworld\n";
  EXPECT_EQ(describe_bug(example.found, example.recording, 1, "bug-1.json", {.text = "  1  what happened\n"}),
            R"(Bug 1: assertion (2 preemptions, 3 events)
  require 0 does not hold
  at toy.txt:1, in P:  source of write 0

  1  what happened

  The program printed:
    hello
    world

  Replay it with: ravel replay bug-1.json
)");
}

Ticket ticket_of(const Example& example) { return make_ticket(example.recording, 100); }

TEST(ReplayReport, SaysThatTheBugStillHappens) {
  Example example;
  const Ticket ticket = ticket_of(example);
  const std::string text = describe_replay(replay(example.system, ticket), ticket.bug, {.text = "  1  P\n"});
  EXPECT_THAT(text, StartsWith("The bug still happens: assertion\n  require 0 does not hold\n  at toy.txt:1, "
                               "in P:  source of write 0\n\n  1  P"));
}

TEST(ReplayReport, SaysThatItIsGoneAndThatThisProvesLittleAfterADivergence) {
  Example example;
  const Ticket ticket = ticket_of(example);
  ToySystem fixed(
      toy::Program{{{Op::kWrite, 0}, {Op::kTake, 0}, {Op::kWrite, 0}}, {{Op::kWrite, 1}, {Op::kGive, 0}}});
  const std::string text = describe_replay(replay(fixed, ticket), ticket.bug, {});
  EXPECT_THAT(text, StartsWith("The bug does not happen: this execution ends well.\n"));
  EXPECT_THAT(
      text,
      HasSubstr("followed up to step 2: then P can't take a step: it waits, or it has ended. From there"));
  EXPECT_THAT(text, HasSubstr("says nothing about other schedules"));
}

TEST(ReplayReport, SaysThatAnotherBugHappens) {
  Example example;
  const Ticket ticket = ticket_of(example);
  ToySystem worse(toy::Program{{{Op::kWrite, 0}, {Op::kTake, 5}}, {{Op::kWrite, 1}, {Op::kGive, 0}}});
  const std::string text = describe_replay(replay(worse, ticket), ticket.bug, {});
  EXPECT_THAT(text, StartsWith("Another bug happens: deadlock, where the ticket has: assertion\n"));
  EXPECT_THAT(text, HasSubstr("    P waits\n"));
}

TEST(Refusal, IsOneMessageWithItsPlace) {
  EXPECT_EQ(describe_refusal({.message = "no sockets", .file = "a.erl", .line = 3}),
            "ravel: a.erl:3: no sockets\n");
  EXPECT_EQ(describe_refusal({.message = "no sockets", .file = "", .line = 0}), "ravel: no sockets\n");
}

}  // namespace
}  // namespace ravel
