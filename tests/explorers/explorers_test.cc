// The order of each explorer on small programs, as it follows from its definition by hand; and that each of
// them, and the driver with any other, offers every transition of a point.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "explorers/built_in.h"
#include "explorers/explorer_driver.h"
#include "explorers/explorer_library.h"
#include "tests/toy/programs.h"
#include "tests/toy/reference.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using toy::Op;
using toy::Program;
using toy::ToySystem;

// An execution with these delays: `delays[i]` at the i-th point, none later.
std::string run(ToySystem& system, ExplorerDriver& driver, const std::vector<std::uint32_t>& delays) {
  std::vector<Transition> schedule;
  ExplorerState state;
  system.reset();
  driver.begin();
  while (system.outcome() == Outcome::kRunning) {
    driver.arrive(state, system.enabled(), system);
    const std::uint32_t place = schedule.size() < delays.size() ? delays[schedule.size()] : 0;
    schedule.push_back(system.enabled()[driver.choose(state, system.enabled(), place, system)]);
    system.step(schedule.back());
  }
  return to_string(system, schedule);
}

std::string run(const Program& program, const char* explorer, const std::vector<std::uint32_t>& delays = {},
                std::uint64_t seed = 1) {
  ToySystem system(program);
  ExplorerDriver driver(built_in_explorer(explorer, seed));
  const std::string schedule = run(system, driver, delays);
  EXPECT_TRUE(driver.complaints().empty()) << explorer;
  return schedule;
}

// Three actors of two steps each.
const Program kThree(3, {{Op::kWrite, 0}, {Op::kWrite, 0}});
// P waits for P.1, which waits for P.2.
const Program kChain = {{{Op::kTake, 0}, {Op::kWrite, 2}},
                        {{Op::kTake, 1}, {Op::kGive, 0}, {Op::kWrite, 2}},
                        {{Op::kGive, 1}, {Op::kWrite, 2}}};

TEST(RoundRobin, LetsTheFirstOfTheQueueGoOnUntilItCannot) {
  EXPECT_EQ(run(kThree, "rr"), "P:0 P:0 P.1:0 P.1:0 P.2:0 P.2:0");
  // P.2 alone can move, and goes on; then P.1, which came to the queue after it.
  EXPECT_EQ(run(kChain, "rr"), "P.2:0 P.2:0 P.1:0 P.1:0 P.1:0 P:0 P:0");
}

TEST(RoundRobin, ADelayedActorGoesToTheTail) {
  EXPECT_EQ(run(kThree, "rr", {1}), "P.1:0 P.1:0 P.2:0 P.2:0 P:0 P:0");
  EXPECT_EQ(run(kThree, "rr", {2}), "P.2:0 P.2:0 P:0 P:0 P.1:0 P.1:0");
  EXPECT_EQ(run(kThree, "rr", {0, 1}), "P:0 P.1:0 P.1:0 P.2:0 P.2:0 P:0");
}

TEST(RunToCompletion, LetsTheNewestGoOn) {
  EXPECT_EQ(run(kThree, "rtc"), "P.2:0 P.2:0 P.1:0 P.1:0 P:0 P:0");
  // Who was waited for by the newest goes on at once.
  EXPECT_EQ(run(kChain, "rtc"), "P.2:0 P.1:0 P.1:0 P:0 P:0 P.1:0 P.2:0");
}

TEST(RunToCompletion, ADelayedActorGoesToTheBottom) {
  EXPECT_EQ(run(kThree, "rtc", {1}), "P.1:0 P.1:0 P:0 P:0 P.2:0 P.2:0");
  EXPECT_EQ(run(kChain, "rtc", {0, 1}), "P.2:0 P.2:0 P.1:0 P.1:0 P:0 P:0 P.1:0");
}

TEST(ProbabilisticRoundRobin, HasAnOrderForEachSeed) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    orders.insert(run(kThree, "prr", {}, seed));
    EXPECT_EQ(run(kThree, "prr", {}, seed), run(kThree, "prr", {}, seed));
  }
  EXPECT_EQ(orders.size(), 6u);
}

TEST(NoPreemptions, LetsWhoMovedLastGoOnAndThenTheFirstByName) {
  EXPECT_EQ(run(kThree, "preemptions"), "P:0 P:0 P.1:0 P.1:0 P.2:0 P.2:0");
  EXPECT_EQ(run(kThree, "preemptions", {1}), "P.1:0 P.1:0 P:0 P:0 P.2:0 P.2:0");
  EXPECT_EQ(run(kThree, "preemptions", {0, 2}), "P:0 P.2:0 P.2:0 P:0 P.1:0 P.1:0");
  EXPECT_EQ(run(kChain, "preemptions"), "P.2:0 P.2:0 P.1:0 P.1:0 P.1:0 P:0 P:0");
}

TEST(NoPreemptions, CostNothingWhereWhoMovedLastCannotGoOn) {
  ToySystem system({{{Op::kWrite, 0}, {Op::kChoose, 0}}, {{Op::kWrite, 0}}, {{Op::kWrite, 0}}});
  ExplorerDriver driver(built_in_explorer("preemptions", 0));
  ExplorerState state;
  driver.begin();
  const auto costs = [&] {
    std::vector<std::uint32_t> all;
    driver.arrive(state, system.enabled(), system);
    for (std::uint32_t place = 0; place < system.enabled().size(); ++place)
      all.push_back(driver.cost_of(state, system.enabled(), place));
    return all;
  };
  const auto step = [&](std::uint32_t place) {
    system.step(Transition(system.enabled()[driver.choose(state, system.enabled(), place, system)]));
  };
  EXPECT_EQ(costs(), (std::vector<std::uint32_t>{0, 0, 0}));  // nobody has moved
  step(0);
  EXPECT_EQ(costs(), (std::vector<std::uint32_t>{0, 0, 1, 1}));  // P may choose, and the others preempt it
  step(2);
  EXPECT_EQ(costs(), (std::vector<std::uint32_t>{0, 0, 0}));  // P.1 has ended
}

TEST(ExplorerDriver, TheAlternativesOfAChoiceCostADelayEach) {
  const Program program = {{{Op::kChoose, 0}}, {{Op::kWrite, 1}}};
  EXPECT_EQ(run(program, "rr", {0}), "P:0 P.1:0");
  EXPECT_EQ(run(program, "rr", {1}), "P:1 P.1:0");
  EXPECT_EQ(run(program, "rr", {2}), "P.1:0 P:0");
}

// Names the first one always, or somebody who cannot move.
class Stubborn final : public DelayingExplorer {
 public:
  explicit Stubborn(bool names_nobody) : names_nobody_(names_nobody) {}
  std::string name() const override { return "stubborn"; }
  void note_enabled(ExplorerState&, ActorId, std::optional<ActorId>, const ActorNames&) const override {}
  void note_blocked(ExplorerState&, ActorId) const override {}
  ActorId next(const ExplorerState&, std::span<const ActorId> enabled) const override {
    return names_nobody_ ? ActorId{77} : enabled.front();
  }
  void delay(ExplorerState&, std::span<const ActorId>) const override {}

 private:
  const bool names_nobody_;
};

TEST(ExplorerDriver, OffersWhatTheExplorerNeverNamesAndSaysSo) {
  ToySystem system(kThree);
  ExplorerDriver driver(std::make_unique<Stubborn>(false));
  EXPECT_EQ(run(system, driver, {}), "P:0 P:0 P.1:0 P.1:0 P.2:0 P.2:0");
  EXPECT_TRUE(driver.complaints().empty());
  EXPECT_EQ(run(system, driver, {2, 2}), "P.2:0 P.2:0 P:0 P:0 P.1:0 P.1:0");
  EXPECT_EQ(driver.complaints(), (std::vector<std::string>{"the explorer stubborn never names: P.1",
                                                           "the explorer stubborn never names: P.2"}));
  ExplorerDriver other(std::make_unique<Stubborn>(true));
  EXPECT_EQ(run(system, other, {1}), "P.1:0 P:0 P:0 P.1:0 P.2:0 P.2:0");
  EXPECT_FALSE(other.complaints().empty());
  EXPECT_EQ(other.complaints().front(), "the explorer stubborn names an actor that can't move");
}

// Notes what it is told, in words: 1 and 2 before who can move and who cannot, 3 before who has said
// something.
class Scribe final : public DelayingExplorer {
 public:
  std::string name() const override { return "scribe"; }
  void note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId>,
                    const ActorNames&) const override {
    state.insert(state.end(), {1, static_cast<std::uint32_t>(actor)});
  }
  void note_blocked(ExplorerState& state, ActorId actor) const override {
    state.insert(state.end(), {2, static_cast<std::uint32_t>(actor)});
  }
  void note_message(ExplorerState& state, const ExplorerMessage& message) const override {
    state.insert(state.end(), {3, static_cast<std::uint32_t>(message.from),
                               static_cast<std::uint32_t>(std::stoul(message.text))});
  }
  ActorId next(const ExplorerState&, std::span<const ActorId> enabled) const override {
    return enabled.front();
  }
  void delay(ExplorerState&, std::span<const ActorId>) const override {}
};

struct Told final : ExplorerMessages {
  std::vector<ExplorerMessage> waiting;
  std::vector<ExplorerMessage> take_explorer_messages() override { return std::exchange(waiting, {}); }
};

ExplorerMessage message(std::uint32_t from, const char* text) {
  ExplorerMessage made;
  made.from = ActorId{from};
  made.text = text;
  return made;
}

TEST(ExplorerDriver, MessagesComeLastOfAStepInTheirOrderAndOnce) {
  ToySystem system(Program{{{Op::kTake, 0}}, {{Op::kGive, 0}}});
  Told told;
  ExplorerDriver driver(std::make_unique<Scribe>(), {.messages = &told});
  ExplorerState state;
  system.reset();
  driver.begin();
  told.waiting = {message(0, "7")};
  driver.arrive(state, system.enabled(), system);
  // The System numbers actors as it meets them: P.1, who can move, is 0.
  EXPECT_EQ(state, (ExplorerState{1, 0, 3, 0, 7}));
  const Transition gives = system.enabled()[driver.choose(state, system.enabled(), 0, system)];
  state.clear();
  told.waiting = {message(1, "8"), message(1, "9")};
  system.step(gives);
  driver.arrive(state, system.enabled(), system);
  EXPECT_EQ(state, (ExplorerState{2, 0, 1, 1, 3, 1, 8, 3, 1, 9}));
}

// As where a search goes back to another state after a step to a known one.
TEST(ExplorerDriver, MessagesOfAStepThatNobodyHasAskedAboutAreForgotten) {
  ToySystem system(kThree);
  Told told;
  ExplorerDriver driver(std::make_unique<Scribe>(), {.messages = &told});
  ExplorerState state;
  system.reset();
  driver.begin();
  driver.arrive(state, system.enabled(), system);
  told.waiting = {message(2, "5")};
  const Transition taken = system.enabled()[driver.choose(state, system.enabled(), 0, system)];
  state.clear();
  system.step(taken);
  driver.arrive(state, system.enabled(), system);
  EXPECT_EQ(state, ExplorerState{});
}

TEST(ExplorerDriver, SeveralShareTheirComplaints) {
  const auto complaints = std::make_shared<ExplorerComplaints>();
  for (int i = 0; i < 2; ++i) {
    ToySystem system(kThree);
    ExplorerDriver driver(std::make_unique<Stubborn>(false), {.complaints = complaints});
    run(system, driver, {2, 2});
  }
  EXPECT_EQ(*complaints, (ExplorerComplaints{"the explorer stubborn never names: P.1",
                                             "the explorer stubborn never names: P.2"}));
}

TEST(ExplorerLibrary, IsAFileThatCanBeLoadedAndHasAnExplorer) {
  EXPECT_TRUE(names_explorer_library("./mine.so"));
  EXPECT_FALSE(names_explorer_library("mine"));
  EXPECT_FALSE(names_explorer_library("mine.erl"));
  EXPECT_EQ(load_explorer("/nowhere/mine.so").error().message, "there is no such file");
  const std::string text = std::string(RAVEL_SOURCE_DIR) + "/README.md";
  EXPECT_TRUE(load_explorer(text).error().message.starts_with("this is no library that can be loaded ("));
}

// At every point of a random execution.
TEST(ExplorerDriver, OffersEachTransitionOnce) {
  const std::vector<toy::Operation> alphabet = {{Op::kWrite, 0},  {Op::kGive, 0},  {Op::kTake, 0},
                                                {Op::kChoose, 0}, {Op::kSpawn, 2}, {Op::kTake, 1}};
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    for (const std::string_view name : kBuiltInExplorers) {
      Random random(seed);
      ToySystem system(toy::random_program(random, alphabet, 4, 4));
      ExplorerDriver driver(built_in_explorer(name, seed));
      ExplorerState state;
      driver.begin();
      while (system.outcome() == Outcome::kRunning) {
        const std::span<const Transition> enabled = system.enabled();
        driver.arrive(state, enabled, system);
        std::set<std::size_t> offered;
        for (std::uint32_t place = 0; place < enabled.size(); ++place) {
          ExplorerState of_place = state;
          offered.insert(driver.choose(of_place, enabled, place, system));
        }
        ASSERT_EQ(offered.size(), enabled.size()) << name << " " << seed;
        const auto place = static_cast<std::uint32_t>(random.below(enabled.size()));
        system.step(Transition(enabled[driver.choose(state, enabled, place, system)]));
      }
      ASSERT_TRUE(driver.complaints().empty()) << name << " " << seed << driver.complaints().front();
    }
  }
}

}  // namespace
}  // namespace ravel
