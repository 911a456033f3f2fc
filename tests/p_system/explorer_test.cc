// Explorers that are specs of the program: the same strata as the built-in one that they describe, messages
// of the program, and what is wrong with them.

#include "p/system/p_explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explorers/built_in.h"
#include "states/state_search.h"
#include "tests/p_system/random_programs.h"
#include "tests/p_system/run.h"

namespace ravel::p {
namespace {

constexpr const char kEvents[] =
    "event eExplorerEnabled: (who: machine, by: machine);\n"
    "event eExplorerBlocked: machine; event eExplorerDelay: machine;\n";

constexpr const char kRoundRobin[] = R"(
spec RoundRobin observes eExplorerEnabled, eExplorerBlocked, eExplorerDelay {
  var order: seq[machine];
  start state Running {
    on eExplorerEnabled do (e: (who: machine, by: machine)) {
      if (!(e.who in order)) order += (sizeof(order), e.who);
    }
    on eExplorerBlocked do toTail;
    on eExplorerDelay do toTail;
  }
  fun toTail(who: machine) {
    var i: int;
    while (i < sizeof(order)) {
      if (order[i] == who) { order -= i; order += (sizeof(order), who); return; }
      i = i + 1;
    }
  }
}
)";

struct Strata {
  Exploration exploration;
  std::vector<std::string> complaints;
};

Strata search(PSystem& system, std::unique_ptr<DelayingExplorer> explorer, std::uint32_t delays_max) {
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  StateSearch search(system, StateOrder::kByDelays, limits, clock);
  search.delay(std::move(explorer), delays_max, {.make = {}, .messages = &system, .complaints = nullptr});
  Exploration exploration = search.run();
  return {.exploration = std::move(exploration), .complaints = search.complaints()};
}

std::unique_ptr<PExplorer> explorer_of(const Opened& program, std::string_view name) {
  const auto spec = explorer_named(*program.sources.program, name);
  CHECK_MESSAGE(spec.ok(), spec.error().message.c_str());
  return std::make_unique<PExplorer>(*program.system, *spec);
}

TEST(ExplorersInP, RoundRobinHasTheStrataOfTheBuiltInOne) {
  for (const POptions& options :
       {POptions{}, POptions{.timers = TimersFire::kWhenAllWait, .words_between_collections = 0}})
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      Random random(seed);
      const std::string text =
          (options.timers == TimersFire::kAsModelled ? random_program(random)
                                                     : random_program_with_timers(random)) +
          kEvents + kRoundRobin;
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
      for (const std::uint32_t delays : {0, 1, 3}) {
        const Opened one = opened(text, "t", options), other = opened(text, "t", options);
        const Strata in_p = search(*one.system, explorer_of(one, "RoundRobin"), delays),
                     built_in = search(*other.system, built_in_explorer("rr", 0), delays);
        EXPECT_THAT(in_p.complaints, testing::IsEmpty());
        EXPECT_EQ(in_p.exploration.counts.states->states, built_in.exploration.counts.states->states);
        EXPECT_EQ(in_p.exploration.counts.states->transitions,
                  built_in.exploration.counts.states->transitions);
        ASSERT_EQ(in_p.exploration.bugs.size(), built_in.exploration.bugs.size());
        for (std::size_t i = 0; i < in_p.exploration.bugs.size(); ++i)
          EXPECT_EQ(in_p.exploration.bugs[i].schedule, built_in.exploration.bugs[i].schedule);
      }
    }
}

// Who is named goes first.
constexpr const char kTold[] = R"(
event eFirst: machine; event eRun;
machine Worker { start state S { on eRun do { assert false, format("{0}", this); } } }
machine Main { start state S { entry { var a: machine; var b: machine;
  a = new Worker(); b = new Worker(); send a, eRun; send b, eRun; if (TOLD) announce eFirst, b; } } }
spec Named observes eExplorerEnabled, eFirst {
  var order: seq[machine];
  start state S {
    on eExplorerEnabled do (e: (who: machine, by: machine)) {
      if (!(e.who in order)) order += (sizeof(order), e.who);
    }
    on eFirst do (who: machine) { order += (0, who); }
  }
}
test t [main = Main]: { Main, Worker };
)";

TEST(ExplorersInP, HearWhatTheProgramTells) {
  for (const bool tells : {false, true}) {
    std::string text = std::string(kEvents) + kTold;
    text.replace(text.find("TOLD"), 4, tells ? "true" : "false");
    const Opened program = opened(text);
    const Strata found = search(*program.system, explorer_of(program, "Named"), 0);
    ASSERT_EQ(found.exploration.bugs.size(), 1u);
    EXPECT_EQ(found.exploration.bugs[0].bug.message, tells ? "Worker(P.2)" : "Worker(P.1)");
  }
}

TEST(ExplorersInP, TheirOwnFailureIsARefusal) {
  const Opened program =
      opened(std::string(kEvents) +
             "machine Main { start state S { entry { send this, eRun; } on eRun do { } } }\n"
             "event eRun;\n"
             "spec Fails observes eExplorerEnabled { var order: seq[machine];\n"
             "start state S { on eExplorerEnabled do {\nassert false, \"why\"; } } }\n"
             "test t [main = Main]: { Main };\n");
  const Strata found = search(*program.system, explorer_of(program, "Fails"), 3);
  EXPECT_THAT(found.exploration.bugs, testing::IsEmpty());
  ASSERT_TRUE(found.exploration.refusal.has_value());
  EXPECT_EQ(found.exploration.refusal->message, "the explorer itself fails: why");
  EXPECT_EQ(found.exploration.refusal->line, 7u);
}

TEST(ExplorersInP, WhatIsMissingIsNamed) {
  const auto why = [](const std::string& spec) {
    const Opened program = opened(spec + "machine Main { start state S { } }\n");
    const auto found = explorer_named(*program.sources.program, "X");
    return found ? std::string() : found.error().message;
  };
  const std::string fine =
      "event eExplorerDelay: machine; spec X observes eExplorerDelay { var order: "
      "seq[machine]; start state S { ignore eExplorerDelay; } }\n";
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = fine;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(why(fine), "");
  EXPECT_EQ(why(changed("spec X", "spec Y")), "the program has no spec of this name");
  EXPECT_EQ(why("machine X { start state S { } }\n"), "this is no spec");
  EXPECT_EQ(why("event e; spec X observes e { start state S { } }\n"),
            "this spec observes neither eExplorerEnabled nor eExplorerBlocked nor eExplorerDelay");
  EXPECT_EQ(why(changed("seq[machine]", "seq[int]")), "this spec has no `var order: seq[machine];`");
  EXPECT_EQ(why(changed("eExplorerDelay: machine", "eExplorerDelay: int")),
            "the event eExplorerDelay has to carry a machine");
}

}  // namespace
}  // namespace ravel::p
