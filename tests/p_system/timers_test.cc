// Timers that are more than machines: what is recognised, when they fire, and that nothing is lost by it.

#include "p/program/timers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/contract/contract.h"
#include "tests/p_system/random_programs.h"
#include "tests/p_system/run.h"

namespace ravel::p {
namespace {

constexpr POptions kAny{.timers = TimersFire::kAnyTime}, kIdle{.timers = TimersFire::kWhenAllWait};

std::set<std::string> keys(const Exploration& exploration) {
  std::set<std::string> all;
  for (const FoundBug& found : exploration.bugs) all.insert(found.bug.key());
  return all;
}

Timers timers_of(const std::string& text) { return find_timers(*opened(text).sources.program); }

std::string timer(const std::string& decides, const std::string& armed = "on again goto Armed;",
                  const std::string& idle = "ignore again;") {
  return "event begin; event cancel; event fired; event again;\n"
         "machine Timer { var client: machine;\n"
         "start state Idle { entry { } on begin goto Armed; " +
         idle + " }\nstate Armed { entry { " + decides + " } " + armed +
         " on cancel goto Idle; defer begin; } }\n"
         "machine Main { start state S { entry { new Timer(); } } }\n";
}

std::string why_not(const std::string& text) {
  const Timers timers = timers_of(text);
  EXPECT_THAT(timers.known, testing::IsEmpty());
  return timers.unknown.size() == 1 ? timers.unknown.front().why : "";
}

TEST(Timers, AreKnownByTheirShape) {
  const std::string fires = "{ send client, fired; goto Idle; }", asks = "{ send this, again; }";
  const auto fires_by = [&](const std::string& decides) {
    const Timers timers = timers_of(timer(decides));
    EXPECT_EQ(timers.known.size(), 1u) << decides;
    EXPECT_THAT(timers.unknown, testing::IsEmpty()) << decides;
    return timers.known.empty() ? 99 : timers.known.front().fires;
  };
  EXPECT_EQ(fires_by("if ($) " + fires + " else " + asks), 0u);
  EXPECT_EQ(fires_by("if ($$) " + asks + " else " + fires), 1u);
  EXPECT_EQ(fires_by("if (!$) " + fires + " else " + asks), 1u);
  EXPECT_EQ(fires_by("if (choose(10) == 3) " + fires + " else " + asks), 3u);
  EXPECT_EQ(fires_by("if (choose(10) == 0) " + asks + " else " + fires), 1u);
}

TEST(Timers, MayChooseInAFunctionOfTheirOwn) {
  const Timers timers = timers_of(
      "event begin; event tick;\n"
      "machine Clock { var holder: machine; var what: event;\n"
      "start state Idle { on begin do { goto Tick; } ignore tick; }\n"
      "state Tick { entry { ask(); } on tick do { ask(); } ignore begin; }\n"
      "fun ask() { if ($) { send holder, what; goto Idle; } else { send this, tick; } } }\n"
      "machine Main { start state S { } }\n");
  EXPECT_EQ(timers.known.size(), 1u);
}

TEST(Timers, SayWhereTheyDiffer) {
  const std::string usual = "if ($) { send client, fired; goto Idle; } else { send this, again; }";
  EXPECT_THAT(why_not(timer("if ($) { send client, fired; goto Idle; }")), testing::HasSubstr("no `else`"));
  EXPECT_THAT(why_not(timer("var b: bool; b = $; if (b) { goto Idle; } else { send this, again; }")),
              testing::HasSubstr("more than one `if`"));
  EXPECT_THAT(why_not(timer("if ($ || $) { send client, fired; goto Idle; } else { send this, again; }")),
              testing::HasSubstr("the condition"));
  EXPECT_THAT(why_not(timer("if ($) { goto Idle; } else { send this, again; }")),
              testing::HasSubstr("`send CLIENT, EVENT; goto STATE;`"));
  EXPECT_THAT(why_not(timer(usual, "on again goto Other; } state Other { ignore again;")),
              testing::HasSubstr("does not choose again"));
  EXPECT_THAT(why_not(timer(usual, "on again goto Armed;", "defer again;")),
              testing::HasSubstr("does not ignore `again`"));
  EXPECT_THAT(why_not(timer(usual, "on again goto Armed; exit { }")), testing::HasSubstr("has an exit"));
  EXPECT_THAT(why_not(timer(usual) + "spec S observes again { start state A { ignore again; } }\n"),
              testing::HasSubstr("`S` observes `again`"));
}

// By the model of the program itself, whose rounds a search by states sees once.
TEST(Timers, AtAnyTimeTheyDoWhatTheModelDoes) {
  std::uint64_t modelled_states = 0, states = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const std::string text = random_program_with_timers(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Opened modelled = opened(text, "t"), one = opened(text, "t", kAny), other = opened(text, "t", kAny);
    const Searched expected = search_states(*modelled.system), by_states = search_states(*one.system),
                   reduced = search(*other.system, "dpor");
    ASSERT_TRUE(expected.exploration.counts.coverage.is_complete);
    EXPECT_EQ(by_states.ends, expected.ends);
    EXPECT_EQ(keys(by_states.exploration), keys(expected.exploration));
    EXPECT_TRUE(reduced.exploration.counts.coverage.is_complete);
    EXPECT_EQ(reduced.ends, expected.ends);
    EXPECT_EQ(keys(reduced.exploration), keys(expected.exploration));
    modelled_states += expected.exploration.counts.states->states;
    states += by_states.exploration.counts.states->states;
  }
  EXPECT_LT(states * 2, modelled_states);
}

TEST(Timers, WhenAllWaitTheyDoSomeOfThat) {
  std::size_t fewer = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const std::string text = random_program_with_timers(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Opened any = opened(text, "t", kAny), one = opened(text, "t", kIdle),
                 other = opened(text, "t", kIdle);
    const Searched all = search_states(*any.system), by_states = search_states(*one.system),
                   reduced = search(*other.system, "dpor");
    EXPECT_TRUE(reduced.exploration.counts.coverage.is_complete);
    EXPECT_EQ(reduced.ends, by_states.ends);
    EXPECT_EQ(keys(reduced.exploration), keys(by_states.exploration));
    EXPECT_TRUE(std::ranges::includes(all.ends, by_states.ends));
    fewer += by_states.ends.size() < all.ends.size() ? 1 : 0;
  }
  EXPECT_GT(fewer, 5u);
}

TEST(Timers, KeepTheContract) {
  for (const POptions& options : {kAny, kIdle})
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      Random random(seed);
      const std::string text = random_program_with_timers(random);
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
      const Opened program = opened(text, "t", options);
      EXPECT_THAT(contract::broken_promises(*program.system, {.seed = seed, .executions = 6}),
                  testing::IsEmpty());
    }
}

}  // namespace
}  // namespace ravel::p
